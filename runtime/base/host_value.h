// Python's operators on None, bools, numbers and texts, as specs use them. The generator applies them to values that
// are known at build time. Generated code applies them to values that are known at export time.
#ifndef ONNXPORT_RUNTIME_BASE_HOST_VALUE_H_
#define ONNXPORT_RUNTIME_BASE_HOST_VALUE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace onnxport::host {

// None, a bool, an int, a float or a text.
using Value = std::variant<std::monostate, bool, int64_t, double, std::string>;

// A bool counts as an int. Each function throws Refusal where Python raises: for a division by zero, or an operand that
// the operator does not take. It also throws if no Value can hold the result: an int beyond 64 bits, a complex number.
Value Add(const Value& a, const Value& b);  // also joins two texts
Value Subtract(const Value& a, const Value& b);
Value Multiply(const Value& a, const Value& b);  // takes no texts: 2 * "a" is refused
Value Divide(const Value& a, const Value& b);    // gives a float
Value FloorDivide(const Value& a, const Value& b);
Value Modulo(const Value& a, const Value& b);
Value Power(const Value& a, const Value& b);
Value Negate(const Value& a);

// An int and a float are compared exactly, not as floats. Values of different types are never equal and have no order:
// Less and LessEqual throw Refusal.
bool Equal(const Value& a, const Value& b);
bool Less(const Value& a, const Value& b);
bool LessEqual(const Value& a, const Value& b);
bool IsIn(const Value& part, const Value& text);  // `"tan" in "tanh"`; throws Refusal unless both are texts

// Returns the truth of the value, as Python's `if value` does.
bool Truth(const Value& value);

// Returns the value as Python prints it, but texts in double quotes.
std::string ToText(const Value& value);

// Refuses the operator. The texts describe the operands, which may be of other types than Value.
[[noreturn]] void RefuseOperator(std::string_view op, std::string_view a, std::string_view b);

}  // namespace onnxport::host

#endif  // ONNXPORT_RUNTIME_BASE_HOST_VALUE_H_
