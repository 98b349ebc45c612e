// Python's operators on None, bools, numbers and texts. Specs mean these: the generator applies them to values known
// while building, generated code to values known while exporting.
#ifndef ONNXPORT_RUNTIME_BASE_HOST_VALUE_H_
#define ONNXPORT_RUNTIME_BASE_HOST_VALUE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace onnxport::host {

// None, a bool, an int, a float or a text.
using Value = std::variant<std::monostate, bool, int64_t, double, std::string>;

// A bool counts as an int. Each throws Refusal where Python raises: a division by zero, an operand that the operator
// does not take. It also does where the result is no Value: an int beyond 64 bits, a complex number.
Value Add(const Value& a, const Value& b);  // also joins texts
Value Subtract(const Value& a, const Value& b);
Value Multiply(const Value& a, const Value& b);  // no texts: 2 * "a" is a mistake here
Value Divide(const Value& a, const Value& b);    // a float
Value FloorDivide(const Value& a, const Value& b);
Value Modulo(const Value& a, const Value& b);
Value Power(const Value& a, const Value& b);
Value Negate(const Value& a);

// An int and a float are compared exactly, not as floats. Values of different types are never equal, and have no order:
// Less and LessEqual throw Refusal.
bool Equal(const Value& a, const Value& b);
bool Less(const Value& a, const Value& b);
bool LessEqual(const Value& a, const Value& b);
bool IsIn(const Value& part, const Value& text);  // `"tan" in "tanh"`; of two texts, else Refusal

// The truth of the value, as in Python's `if value`.
bool Truth(const Value& value);

// As Python prints it; texts in double quotes.
std::string ToText(const Value& value);

// For operands of other types than these, too, with what they are.
[[noreturn]] void RefuseOperator(std::string_view op, std::string_view a, std::string_view b);

}  // namespace onnxport::host

#endif  // ONNXPORT_RUNTIME_BASE_HOST_VALUE_H_
