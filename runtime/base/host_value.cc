#include "runtime/base/host_value.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <compare>
#include <limits>
#include <utility>

#include "runtime/base/refusal.h"

namespace onnxport::host {
namespace {

constexpr size_t kLongestText = 1 << 20;

bool IsFloat(const Value& v) { return std::holds_alternative<double>(v); }
bool IsText(const Value& v) { return std::holds_alternative<std::string>(v); }
bool IsInt(const Value& v) { return std::holds_alternative<int64_t>(v) || std::holds_alternative<bool>(v); }
bool IsNumber(const Value& v) { return IsInt(v) || IsFloat(v); }

// `v` must be an int or a bool.
int64_t AsInt(const Value& v) {
  const int64_t* i = std::get_if<int64_t>(&v);
  return i ? *i : std::get<bool>(v);
}
// `v` must be a number.
double AsFloat(const Value& v) { return IsFloat(v) ? std::get<double>(v) : static_cast<double>(AsInt(v)); }

[[noreturn]] void NoOperator(const char* op, const Value& a, const Value& b) {
  RefuseOperator(op, ToText(a), ToText(b));
}

[[noreturn]] void Refuse(const char* op, const Value& a, const Value& b, const char* why) {
  throw Refusal(fmt::format("{} {} {} {}", ToText(a), op, ToText(b), why));
}

[[noreturn]] void TooLarge(const char* op, const Value& a, const Value& b) { Refuse(op, a, b, "does not fit 64 bits"); }

// Two ints give an int; all other pairs give a float.
template <typename OfInts, typename OfFloats>
Value Arithmetic(const char* op, const Value& a, const Value& b, const OfInts& of_ints, const OfFloats& of_floats) {
  if (!IsNumber(a) || !IsNumber(b)) NoOperator(op, a, b);
  if (IsInt(a) && IsInt(b)) return of_ints(AsInt(a), AsInt(b));
  return of_floats(AsFloat(a), AsFloat(b));
}

void NotByZero(const char* op, const Value& a, const Value& b) {
  if (IsNumber(a) && IsNumber(b) && AsFloat(b) == 0) Refuse(op, a, b, "divides by zero");
}

uint64_t Magnitude(int64_t i) { return i < 0 ? 0 - static_cast<uint64_t>(i) : static_cast<uint64_t>(i); }

// Returns the float nearest to the quotient. Not every int above 2^53 is a float, so the operands cannot be rounded
// first.
double DivideInts(int64_t a, int64_t b) {
  constexpr uint64_t kAllAreFloats = uint64_t{1} << 53;
  if (Magnitude(a) <= kAllAreFloats && Magnitude(b) <= kAllAreFloats)
    return static_cast<double>(a) / static_cast<double>(b);
  __extension__ using Wide = unsigned __int128;
  // The dividend has 127 bits, so the quotient has 63 or more. Its last bit stands for all that is cut off.
  const int shift = 63 + std::countl_zero(Magnitude(a));
  const Wide dividend = Wide{Magnitude(a)} << shift;
  const Wide quotient = dividend / Magnitude(b) | static_cast<Wide>(dividend % Magnitude(b) != 0);
  const double result = std::ldexp(static_cast<double>(quotient), -shift);
  return (a < 0) != (b < 0) ? -result : result;
}

int64_t FloorDivideInts(int64_t a, int64_t b) {
  if (b == -1) {  // the processor's division overflows for the smallest int
    if (a == std::numeric_limits<int64_t>::min()) TooLarge("//", a, b);
    return -a;
  }
  const int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

int64_t ModuloInts(int64_t a, int64_t b) { return b == -1 ? 0 : a - FloorDivideInts(a, b) * b; }

// Starts from the remainder, so that 1.0 // 0.1 is 9.0 although 1.0 / 0.1 rounds to 10.0.
double FloorDivideFloats(double a, double b) {
  const double rest = std::fmod(a, b);
  const double quotient = (a - rest) / b - (rest != 0 && (rest < 0) != (b < 0) ? 1 : 0);
  return quotient == 0 ? std::copysign(0.0, a / b) : std::nearbyint(quotient);
}

// The remainder has the sign of b, even if it is zero.
double ModuloFloats(double a, double b) {
  const double rest = std::fmod(a, b);
  if (rest == 0) return std::copysign(0.0, b);
  return (rest < 0) != (b < 0) ? rest + b : rest;
}

int64_t PowerOfInts(int64_t base, int64_t exponent) {
  if (base == -1) return exponent % 2 == 0 ? 1 : -1;
  if (base == 0 || base == 1) return exponent == 0 ? 1 : base;
  int64_t result = 1;
  for (int64_t i = 0; i < exponent; ++i)
    if (__builtin_mul_overflow(result, base, &result)) TooLarge("**", base, exponent);
  return result;
}

std::partial_ordering CompareExactly(int64_t a, double b) {
  if (std::isnan(b)) return std::partial_ordering::unordered;
  if (b >= 0x1p63 || b < -0x1p63) return 0 <=> b;
  const auto whole = static_cast<int64_t>(b);
  return a != whole ? std::partial_ordering(a <=> whole) : 0 <=> b - static_cast<double>(whole);
}

std::partial_ordering CompareNumbers(const Value& a, const Value& b) {
  if (IsFloat(a) && IsFloat(b)) return AsFloat(a) <=> AsFloat(b);
  if (IsFloat(b)) return CompareExactly(AsInt(a), AsFloat(b));
  if (IsFloat(a)) return 0 <=> CompareExactly(AsInt(b), AsFloat(a));
  return AsInt(a) <=> AsInt(b);
}

std::partial_ordering Order(const char* op, const Value& a, const Value& b) {
  if (IsNumber(a) && IsNumber(b)) return CompareNumbers(a, b);
  if (IsText(a) && IsText(b)) return std::get<std::string>(a) <=> std::get<std::string>(b);
  NoOperator(op, a, b);
}

}  // namespace

Value Add(const Value& a, const Value& b) {
  if (IsText(a) && IsText(b)) {
    std::string joined = std::get<std::string>(a) + std::get<std::string>(b);
    if (joined.size() > kLongestText) throw Refusal(fmt::format("a text of {} bytes is too long", joined.size()));
    return joined;
  }
  const auto add = [&](int64_t x, int64_t y) {
    int64_t sum = 0;
    if (__builtin_add_overflow(x, y, &sum)) TooLarge("+", a, b);
    return sum;
  };
  return Arithmetic("+", a, b, add, [](double x, double y) { return x + y; });
}

Value Subtract(const Value& a, const Value& b) {
  const auto subtract = [&](int64_t x, int64_t y) {
    int64_t difference = 0;
    if (__builtin_sub_overflow(x, y, &difference)) TooLarge("-", a, b);
    return difference;
  };
  return Arithmetic("-", a, b, subtract, [](double x, double y) { return x - y; });
}

Value Multiply(const Value& a, const Value& b) {
  const auto multiply = [&](int64_t x, int64_t y) {
    int64_t product = 0;
    if (__builtin_mul_overflow(x, y, &product)) TooLarge("*", a, b);
    return product;
  };
  return Arithmetic("*", a, b, multiply, [](double x, double y) { return x * y; });
}

Value Divide(const Value& a, const Value& b) {
  NotByZero("/", a, b);
  return Arithmetic("/", a, b, DivideInts, [](double x, double y) { return x / y; });
}

Value FloorDivide(const Value& a, const Value& b) {
  NotByZero("//", a, b);
  return Arithmetic("//", a, b, FloorDivideInts, FloorDivideFloats);
}

Value Modulo(const Value& a, const Value& b) {
  NotByZero("%", a, b);
  return Arithmetic("%", a, b, ModuloInts, ModuloFloats);
}

Value Power(const Value& a, const Value& b) {
  if (IsInt(a) && IsInt(b) && AsInt(b) >= 0) return PowerOfInts(AsInt(a), AsInt(b));
  if (!IsNumber(a) || !IsNumber(b)) NoOperator("**", a, b);
  const double base = AsFloat(a), exponent = AsFloat(b);
  const bool finite = std::isfinite(base) && std::isfinite(exponent);
  if (finite && base == 0 && exponent < 0) Refuse("**", a, b, "divides by zero");
  const double power = std::pow(base, exponent);
  if (finite && std::isnan(power)) Refuse("**", a, b, "is complex");
  if (finite && std::isinf(power)) Refuse("**", a, b, "is too large");
  return power;
}

Value Negate(const Value& a) { return IsFloat(a) ? Value(-AsFloat(a)) : Subtract(int64_t{0}, a); }

bool Equal(const Value& a, const Value& b) { return IsNumber(a) && IsNumber(b) ? CompareNumbers(a, b) == 0 : a == b; }
bool Less(const Value& a, const Value& b) { return Order("<", a, b) < 0; }
bool LessEqual(const Value& a, const Value& b) { return Order("<=", a, b) <= 0; }

bool IsIn(const Value& part, const Value& text) {
  if (!IsText(part) || !IsText(text)) NoOperator("in", part, text);
  return std::get<std::string>(text).find(std::get<std::string>(part)) != std::string::npos;
}

bool Truth(const Value& value) {
  if (IsText(value)) return !std::get<std::string>(value).empty();
  return IsNumber(value) && AsFloat(value) != 0;
}

std::string ToText(const Value& value) {
  if (IsText(value)) return '"' + std::get<std::string>(value) + '"';
  if (const bool* b = std::get_if<bool>(&value)) return *b ? "True" : "False";
  if (IsInt(value)) return std::to_string(AsInt(value));
  if (!IsFloat(value)) return "None";
  if (std::isnan(AsFloat(value))) return "nan";  // for either sign
  std::string text = fmt::format("{}", AsFloat(value));
  return text.find_first_not_of("-0123456789") == std::string::npos ? text + ".0" : text;
}

void RefuseOperator(std::string_view op, std::string_view a, std::string_view b) {
  throw Refusal(fmt::format("no `{}` for {} and {}", op, a, b));
}

}  // namespace onnxport::host
