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

ir::Arg DoubleTensor(const CallSite& call, const Value& number) {
  return *ToScalarArg(TensorOf(call, number, ir::DType::kFloat64));
}

// Computes on numbers known only at run time, as doubles.
Value InDouble(const CallSite& call, const Value& number, const std::string& aten) {
  return ItemOf(call, call.Run(aten, {DoubleTensor(call, number)}));
}
Value InDouble(const CallSite& call, const Value& a, const Value& b, const std::string& aten) {
  return ItemOf(call, call.Run(aten, {DoubleTensor(call, a), DoubleTensor(call, b)}));
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

bool AreNumbers(const CallSite& call) { return call.size() == 2 && IsNumber(call.At(0)) && IsNumber(call.At(1)); }
bool AreKnown(const CallSite& call) { return IsKnownNumber(call.At(0)) && IsKnownNumber(call.At(1)); }

template <double (*F)(double, double)>
std::optional<Value> Binary(const CallSite& call) {
  if (!AreNumbers(call)) return std::nullopt;
  if (AreKnown(call)) return Value{F(AsDouble(call.At(0)), AsDouble(call.At(1)))};
  const std::string name(call.name());
  return InDouble(call, call.At(0), call.At(1), "aten::" + name + (name == "atan2" ? "" : ".Tensor"));
}

// The quotient is rounded half to even. Each step is exact.
std::optional<Value> Remainder(const CallSite& call) {
  if (!AreNumbers(call)) return std::nullopt;
  if (AreKnown(call)) return Value{std::remainder(AsDouble(call.At(0)), AsDouble(call.At(1)))};
  using ir::Instruction;
  const Value b = InDouble(call, call.At(1), "aten::abs");
  const Value twice_b = call.Arithmetic(Instruction::kMul, {b, {2.0}});
  const Value rest = InDouble(call, InDouble(call, call.At(0), "aten::abs"), twice_b, "aten::fmod.Tensor");
  const auto less_b_if = [&](const ir::Arg& condition, const Value& x) {
    const Value less = call.Arithmetic(Instruction::kSub, {x, b});
    return call.Run(Instruction::kIte, {condition, *ToScalarArg(less), *ToScalarArg(x)});
  };
  const auto compare_with_half = [&](Instruction comparison, const Value& x) {
    return *ToScalarArg(call.Arithmetic(comparison, {x, call.Arithmetic(Instruction::kSub, {b, x})}));
  };
  const ir::Arg is_more = compare_with_half(Instruction::kGt, rest);
  const Value once = less_b_if(is_more, rest);
  const ir::Arg is_still = compare_with_half(Instruction::kGe, once);
  const Value twice = less_b_if(*ToScalarArg(call.Run(Instruction::kAnd, {is_more, is_still})), once);
  return call.Arithmetic(Instruction::kMul, {twice, InDouble(call, {1.0}, call.At(0), "aten::copysign.Tensor")});
}

template <bool (*F)(double)>
std::optional<Value> Test(const CallSite& call) {
  if (call.As<Number>(0) != nullptr) return InDouble(call, call.At(0), "aten::" + std::string(call.name()));
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
  if (!IsKnownNumber(call.At(0))) {
    const Value parts = call.RunAll("aten::frexp.Tensor", {DoubleTensor(call, call.At(0))});
    const ValueList& tensors = (*parts.As<TuplePtr>())->items;
    return TupleOf({ItemOf(call, tensors[0]), ItemOf(call, tensors[1])});
  }
  int exponent = 0;
  const double fraction = std::frexp(AsDouble(call.At(0)), &exponent);
  return TupleOf({Value{fraction}, Value{static_cast<int64_t>(exponent)}});
}

// An infinite number has no fraction.
Value FractionOf(const CallSite& call, const Value& x, const Value& whole) {
  const Value rest = call.Arithmetic(ir::Instruction::kSub, {x, whole});
  const ir::Arg is_infinite = *ToScalarArg(InDouble(call, x, "aten::isinf"));
  const Value fraction = call.Run(ir::Instruction::kIte, {is_infinite, {0.0}, *ToScalarArg(rest)});
  return InDouble(call, fraction, x, "aten::copysign.Tensor");
}

std::optional<Value> Modf(const CallSite& call) {
  if (!IsNumber(call.At(0))) return std::nullopt;
  if (!IsKnownNumber(call.At(0))) {
    const Value whole = InDouble(call, call.At(0), "aten::trunc");
    return TupleOf({FractionOf(call, call.At(0), whole), whole});
  }
  double whole = 0;
  const double fraction = std::modf(AsDouble(call.At(0)), &whole);
  return TupleOf({Value{fraction}, Value{whole}});
}

// By three factors, as one may be beyond what a double holds where the result is not.
Value ScaledBy(const CallSite& call, const Value& x, const Value& exponent) {
  using ir::Instruction;
  constexpr int64_t kMost = 2100;  // leaves 0 or infinity of any number
  const Value e =
      call.Arithmetic(Instruction::kMax, {call.Arithmetic(Instruction::kMin, {exponent, {kMost}}), {-kMost}});
  const Value third = call.Arithmetic(Instruction::kFloorDiv, {e, {int64_t{3}}});
  const Value rest = call.Arithmetic(Instruction::kSub, {e, call.Arithmetic(Instruction::kMul, {third, {int64_t{2}}})});
  Value scaled = x;
  for (const Value& part : {third, third, rest}) {
    const Value power = call.Arithmetic(Instruction::kPow, {{2.0}, call.Arithmetic(Instruction::kFloat, {part})});
    scaled = call.Arithmetic(Instruction::kMul, {scaled, power});
  }
  return scaled;
}

std::optional<Value> Ldexp(const CallSite& call) {
  if (!AreNumbers(call)) return std::nullopt;
  if (!AreKnown(call)) return ScaledBy(call, call.At(0), call.At(1));
  const int64_t exponent = std::clamp<int64_t>(call.Int(1), -5000, 5000);
  return Value{std::ldexp(AsDouble(call.At(0)), static_cast<int>(exponent))};
}

std::optional<Value> Gcd(const CallSite& call) {
  if (!AreNumbers(call)) return std::nullopt;
  if (!AreKnown(call)) {
    const auto tensor = [&](size_t i) { return *ToScalarArg(TensorOf(call, call.At(i), ir::DType::kInt64)); };
    return ItemOf(call, call.Run("aten::gcd", {tensor(0), tensor(1)}));
  }
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
    {"aten::mathremainder", Remainder},
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
