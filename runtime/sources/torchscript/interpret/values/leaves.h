// Leaves of values: those that a graph can hold. Converts between values and the tracer's arguments.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_LEAVES_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_LEAVES_H_

#include <optional>
#include <string>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/trace/tracer.h"

namespace onnxport::torchscript {

// True for equal host values, the same tensor, the same cell. Tuples are compared element by element.
bool Same(const Value& a, const Value& b);
// Returns true if two dicts have the same keys in the same order.
bool SameKeys(const Cell& a, const Cell& b);
// A bool, known or not: if the dict has its key `at`.
const Value& IsPresent(const Cell& dict, size_t at);
// Returns the position of the key; the number of keys if the dict does not have it, and nothing if that is not known.
std::optional<size_t> PlaceOf(const Value& key, const Cell& dict);

// True for a tensor or a number, known or not. A `Missing` that the program never uses counts as a leaf of any type.
bool IsLeaf(const Value& value);
// A number that is known at export.
inline bool IsKnown(const Value& value) { return value.As<bool>() || value.As<int64_t>() || value.As<double>(); }
// The argument for a leaf; None for a `Missing`.
ir::Arg LeafArg(const Value& value);
// The leaf for an argument of the tracer: a value of the graph or a host constant.
Value LeafValue(const ir::Arg& arg, const trace::Tracer& tracer);
// The value for the results of a call of the tracer: several become a tuple, none becomes None.
Value LeafValues(const std::vector<ir::Arg>& results, const trace::Tracer& tracer);
// Type of a leaf without its contents; nothing for a `Missing`.
std::optional<ir::Value> LeafType(const Value& value, const trace::Tracer& tracer);

// Describes the kind of a value for messages: "Tensor", "int", "List[...] of 3 elements" ...
std::string KindOf(const Value& value);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_LEAVES_H_
