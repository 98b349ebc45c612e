// Small functions on Values that operators share: texts, equality, conversion to and from the tracer's arguments.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_VALUES_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_VALUES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/trace/tracer.h"

namespace onnxport::torchscript {

using Keywords = std::vector<std::pair<std::string, Value>>;

// The arguments of a call as written: by position and by name.
struct CallArguments {
  ValueList positional;
  Keywords keywords;
};

// Turns a dtype into its int in TorchScript; other values stay unchanged.
Value Plain(const Value& value);

// bool, int, double, a dtype's number.
bool IsKnownNumber(const Value& value);
bool IsNumber(const Value& value);  // also a number known only at run time
double AsDouble(const Value& known_number);

// The cell of a list, dict or object; null for anything else. `IsList` is also true for a dynamic list.
const CellPtr* AsCell(const Value& value, Cell::Kind kind);
inline const CellPtr* AsList(const Value& value) { return AsCell(value, Cell::Kind::kList); }
inline const CellPtr* AsDict(const Value& value) { return AsCell(value, Cell::Kind::kDict); }

// "Tensor", "int", "List[int]", "a number known only at run time (int)" ...
std::string KindName(const Value& value, const trace::Tracer& tracer);

// Python's ==; nothing if it is known only at run time.
std::optional<bool> Equal(const Value& a, const Value& b);
// Python's `is`.
bool Identical(const Value& a, const Value& b);

// Prints like `str(x)` and f-strings. A value known only at run time is printed as kRunTimeText. IsOpen detects such a
// text; it must not decide anything.
inline constexpr std::string_view kRunTimeText = "<a value known only at run time>";
std::string Str(const Value& value);
bool IsOpen(std::string_view text);

// A host constant, a Tensor or a Number, depending on the kind of the tracer's value.
Value FromScalarArg(const ir::Arg& arg, const trace::Tracer& tracer);
// Converts None, numbers, texts, dtypes, words, tensors. Returns nothing for containers and objects.
std::optional<ir::Arg> ToScalarArg(const Value& value);

inline Value Reported(std::string reason) { return {Missing{Reason(std::move(reason)), true}}; }
inline Value TupleOf(ValueList items) { return {MakeOwned<const TupleValue>(TupleValue{std::move(items), nullptr})}; }

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_VALUES_H_
