// Functions of `math`, rounding, min, max and abs of numbers.
// A function of a number known only at run time is the same function of a 0-d double tensor.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "runtime/sources/torchscript/interpret/builtins/call_site.h"

namespace onnxport::torchscript {
namespace math {
namespace {

using Function = double (*)(double);

struct FunctionRow {
  std::string_view name;
  Function function;
};
// For numbers known only at run time, the function of the same name of ATen.
constexpr FunctionRow kFunctions[] = {{"sqrt", std::sqrt},
                                      {"exp", std::exp},
                                      {"expm1", std::expm1},
                                      {"log10", std::log10},
                                      {"log1p", std::log1p},
                                      {"log2", std::log2},
                                      {"sin", std::sin},
                                      {"cos", std::cos},
                                      {"tan", std::tan},
                                      {"asin", std::asin},
                                      {"acos", std::acos},
                                      {"atan", std::atan},
                                      {"sinh", std::sinh},
                                      {"cosh", std::cosh},
                                      {"tanh", std::tanh},
                                      {"asinh", std::asinh},
                                      {"acosh", std::acosh},
                                      {"atanh", std::atanh},
                                      {"erf", std::erf},
                                      {"erfc", std::erfc},
                                      {"lgamma", std::lgamma},
                                      {"gamma", std::tgamma},
                                      {"fabs", std::fabs},
                                      {"degrees", [](double x) { return x * 180 / M_PI; }},
                                      {"radians", [](double x) { return x * M_PI / 180; }}};

// Computes on a number known only at run time, as a double.
Value InDouble(const CallSite& call, const Value& number, const std::string& aten) {
  const Value tensor = TensorOf(call, number, ir::DType::kFloat64);
  return ItemOf(call, call.Run(aten, {*ToScalarArg(tensor)}));
}

std::optional<Value> Unary(const CallSite& call) {
  const Value x = Plain(call.At(0));
  if (!IsNumber(x) || call.size() != 1) return std::nullopt;
  if (x.As<Number>() != nullptr) {
    if (call.name() == "sqrt") return call.Arithmetic(ir::Instruction::kSqrt, {x});
    if (call.name() == "fabs") return InDouble(call, x, "aten::abs");
    if (call.name() == "degrees") return InDouble(call, x, "aten::rad2deg");
    if (call.name() == "radians") return InDouble(call, x, "aten::deg2rad");
    return InDouble(call, x, "aten::" + std::string(call.name()));
  }
  for (const auto& [name, function] : kFunctions) {
    if (name == call.name()) return Value{function(AsDouble(x))};
  }
  return std::nullopt;
}

std::optional<Value> Log(const CallSite& call) {
  if (!IsNumber(call.At(0)) || (call.size() > 1 && !IsNumber(call.At(1)))) return std::nullopt;
  const auto log = [&](const Value& x) {
    return IsKnownNumber(x) ? Value{std::log(AsDouble(x))} : InDouble(call, x, "aten::log");
  };
  if (call.size() == 1) return log(call.At(0));
  const Value numerator = log(call.At(0)), denominator = log(call.At(1));
  if (!IsKnownNumber(numerator) || !IsKnownNumber(denominator))
    return call.Arithmetic(ir::Instruction::kTrueDiv, {numerator, denominator});
  return Value{AsDouble(numerator) / AsDouble(denominator)};
}

// Two known numbers.
template <double (*F)(double, double)>
std::optional<Value> Binary(const CallSite& call) {
  if (call.size() != 2 || !IsNumber(call.At(0)) || !IsNumber(call.At(1))) return std::nullopt;
  if (!IsKnownNumber(call.At(0)) || !IsKnownNumber(call.At(1))) {
    throw Refusal(onnxport::Code::kArgumentIsNotKnown, "it is computed for numbers that are known at export only");
  }
  return Value{F(AsDouble(call.At(0)), AsDouble(call.At(1)))};
}

double KnownDouble(const CallSite& call, size_t i) {
  if (!IsKnownNumber(call.At(i)))
    throw Refusal(onnxport::Code::kArgumentIsNotKnown, "it is computed for numbers that are known at export only");
  return AsDouble(call.At(i));
}

template <bool (*F)(double)>
std::optional<Value> Test(const CallSite& call) {
  if (!IsKnownNumber(call.At(0))) return std::nullopt;
  return Value{F(AsDouble(call.At(0)))};
}

template <double (*F)(double), ir::Instruction kInstruction>
std::optional<Value> ToIntBy(const CallSite& call) {
  const Value x = Plain(call.At(0));
  if (!IsNumber(x)) return std::nullopt;
  if (x.As<Number>() != nullptr) return call.Arithmetic(kInstruction, {x});
  const auto* d = x.As<double>();
  return d == nullptr ? x : TruncatedInt(F(*d));
}
double FloorOf(double x) { return std::floor(x); }
double CeilOf(double x) { return std::ceil(x); }

// Half to even; the result is a float.
std::optional<Value> Round(const CallSite& call) {
  if (!IsNumber(call.At(0))) return std::nullopt;
  if (!IsKnownNumber(call.At(0))) return InDouble(call, call.At(0), "aten::round");
  return Value{std::nearbyint(AsDouble(call.At(0)))};
}

std::optional<Value> Frexp(const CallSite& call) {
  if (!IsNumber(call.At(0))) return std::nullopt;
  int exponent = 0;
  const double fraction = std::frexp(KnownDouble(call, 0), &exponent);
  return TupleOf({Value{fraction}, Value{static_cast<int64_t>(exponent)}});
}

std::optional<Value> Modf(const CallSite& call) {
  if (!IsNumber(call.At(0))) return std::nullopt;
  double whole = 0;
  const double fraction = std::modf(KnownDouble(call, 0), &whole);
  return TupleOf({Value{fraction}, Value{whole}});
}

std::optional<Value> Ldexp(const CallSite& call) {
  if (!IsNumber(call.At(0)) || call.size() != 2) return std::nullopt;
  const int64_t exponent = std::clamp<int64_t>(call.Int(1), -5000, 5000);
  return Value{std::ldexp(KnownDouble(call, 0), static_cast<int>(exponent))};
}

std::optional<Value> Gcd(const CallSite& call) {
  if (!IsNumber(call.At(0))) return std::nullopt;
  const int64_t a = call.Int(0), b = call.Int(1);
  constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
  if (a == kLowest || b == kLowest) throw Refusal::Raised("integer overflow in gcd");
  return Value{std::gcd(a, b)};
}

std::optional<Value> Factorial(const CallSite& call) {
  if (!IsNumber(call.At(0))) return std::nullopt;
  const int64_t n = call.Int(0);
  if (n < 0 || n > 20) throw Refusal::Raised("factorial of " + std::to_string(n) + ": 0 to 20 fit an int");
  int64_t product = 1;
  for (int64_t i = 2; i <= n; ++i) product *= i;
  return Value{product};
}

constexpr BuiltinRow kRows[] = {
    {"aten::sqrt", Unary},
    {"aten::exp", Unary},
    {"aten::expm1", Unary},
    {"aten::log10", Unary},
    {"aten::log1p", Unary},
    {"aten::log2", Unary},
    {"aten::sin", Unary},
    {"aten::cos", Unary},
    {"aten::tan", Unary},
    {"aten::asin", Unary},
    {"aten::acos", Unary},
    {"aten::atan", Unary},
    {"aten::sinh", Unary},
    {"aten::cosh", Unary},
    {"aten::tanh", Unary},
    {"aten::asinh", Unary},
    {"aten::acosh", Unary},
    {"aten::atanh", Unary},
    {"aten::erf", Unary},
    {"aten::erfc", Unary},
    {"aten::lgamma", Unary},
    {"aten::gamma", Unary},
    {"aten::fabs", Unary},
    {"aten::degrees", Unary},
    {"aten::radians", Unary},
    {"aten::log", Log},
    {"aten::atan2", Binary<std::atan2>},
    {"aten::fmod", Binary<std::fmod>},
    {"aten::mathremainder", Binary<std::remainder>},
    {"aten::copysign", Binary<std::copysign>},
    {"aten::isnan", Test<std::isnan>},
    {"aten::isinf", Test<std::isinf>},
    {"aten::isfinite", Test<std::isfinite>},
    {"aten::floor", ToIntBy<FloorOf, ir::Instruction::kFloor>},
    {"aten::ceil", ToIntBy<CeilOf, ir::Instruction::kCeil>},
    {"aten::round", Round},
    {"aten::frexp", Frexp},
    {"aten::modf", Modf},
    {"aten::ldexp", Ldexp},
    {"aten::gcd", Gcd},
    {"aten::factorial", Factorial},
};

}  // namespace
}  // namespace math

std::span<const BuiltinRow> MathBuiltins() { return math::kRows; }

}  // namespace onnxport::torchscript
