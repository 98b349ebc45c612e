// Leaves of values: what a graph can hold, and what the two worlds make of each other.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_LEAVES_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_LEAVES_H_

#include <optional>
#include <string>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/trace/tracer.h"

namespace onnxport::torchscript {

// Equal host values, the same tensor, the same cell. Tuples element by element.
bool Same(const Value& a, const Value& b);
// Returns true if two dicts have the same keys in the same order.
bool SameKeys(const Cell& a, const Cell& b);

// A tensor or a number, known or not; a `Missing` that was never to be used counts as one of any type.
bool IsLeaf(const Value& value);
// A number that is known at export.
inline bool IsKnown(const Value& value) { return value.As<bool>() || value.As<int64_t>() || value.As<double>(); }
// The argument for a leaf; None for a `Missing`.
ir::Arg LeafArg(const Value& value);
// The leaf that an argument of the tracer stands for: a value of the graph or a host constant.
Value LeafValue(const ir::Arg& arg, const trace::Tracer& tracer);
// The value of the results of a call of the tracer: several are a tuple, none is None.
Value LeafValues(const std::vector<ir::Arg>& results, const trace::Tracer& tracer);
// Type of a leaf without its contents; nothing for a `Missing`.
std::optional<ir::Value> LeafType(const Value& value, const trace::Tracer& tracer);

// "Tensor", "int", "List[...] of 3 elements" ...: what a value is, for messages.
std::string KindOf(const Value& value);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_LEAVES_H_
