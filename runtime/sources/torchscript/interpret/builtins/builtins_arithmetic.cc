// Arithmetic of ints, floats and bools, as LibTorch's interpreter computes them: int64 (an
// overflow is an error here), double, floor division and modulo with the divisor's sign.
#include <cmath>
#include <limits>

#include "runtime/sources/torchscript/interpret/builtins/call_site.h"

namespace onnxport::torchscript {

using ir::Instruction;

namespace arithmetic {
namespace {

[[noreturn]] void Overflow(std::string_view op) { throw Refusal::Raised("integer overflow in " + std::string(op)); }
[[noreturn]] void ByZero() { throw Refusal::Raised("division by zero"); }

int64_t AddInts(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) Overflow("addition");
  return sum;
}
int64_t SubInts(int64_t a, int64_t b) {
  int64_t difference = 0;
  if (__builtin_sub_overflow(a, b, &difference)) Overflow("subtraction");
  return difference;
}
int64_t MulInts(int64_t a, int64_t b) {
  int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) Overflow("multiplication");
  return product;
}
int64_t FloorDivInts(int64_t a, int64_t b) {
  if (b == 0) ByZero();
  if (b == -1) return SubInts(0, a);
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}
int64_t ModInts(int64_t a, int64_t b) {
  if (b == 0) ByZero();
  if (b == -1) return 0;
  const int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}
int64_t RoundToZeroDiv(int64_t a, int64_t b) {
  if (b == 0) ByZero();
  return b == -1 ? SubInts(0, a) : a / b;
}
double AddFloats(double a, double b) { return a + b; }
double SubFloats(double a, double b) { return a - b; }
double MulFloats(double a, double b) { return a * b; }
double FloorDivFloats(double a, double b) { return std::floor(a / b); }
double ModFloats(double a, double b) { return std::fmod(b + std::fmod(a, b), b); }

using IntFunction = int64_t (*)(int64_t, int64_t);
using FloatFunction = double (*)(double, double);

Value Compute(const CallSite& call, const Operands& x, Instruction instruction, IntFunction ints,
              FloatFunction floats) {
  if (!x.is_known) return call.Arithmetic(instruction, {x.a, x.b});
  if (x.has_float) return {floats(AsDouble(x.a), AsDouble(x.b))};
  return {ints(IntOf(x.a), IntOf(x.b))};
}

template <Instruction kInstruction, IntFunction kInts, FloatFunction kFloats>
std::optional<Value> Binary(const CallSite& call) {
  const std::optional<Operands> x = NumberOperands(call);
  return x ? std::optional<Value>(Compute(call, *x, kInstruction, kInts, kFloats)) : std::nullopt;
}

std::optional<Value> TrueDivide(const CallSite& call) {
  const std::optional<Operands> x = NumberOperands(call);
  if (!x) return std::nullopt;
  if (!x->is_known) return call.Arithmetic(Instruction::kTrueDiv, {x->a, x->b});
  return Value{AsDouble(x->a) / AsDouble(x->b)};
}

std::optional<Value> ToZeroDivide(const CallSite& call) {
  const std::optional<Operands> x = NumberOperands(call);
  if (!x) return std::nullopt;
  if (x->is_known) return Value{RoundToZeroDiv(IntOf(x->a), IntOf(x->b))};
  return call.Arithmetic(Instruction::kTrunc, {call.Arithmetic(Instruction::kTrueDiv, {x->a, x->b})});
}

// Ints give a float, too, and are computed as floats: 2 ** -1 is a half, and 10 ** 20 exceeds int64.
std::optional<Value> Power(const CallSite& call) {
  const std::optional<Operands> x = NumberOperands(call);
  if (!x) return std::nullopt;
  if (x->is_known) return Value{std::pow(AsDouble(x->a), AsDouble(x->b))};
  const auto as_float = [&](const Value& number) { return call.Arithmetic(Instruction::kFloat, {number}); };
  return call.Arithmetic(Instruction::kPow, {as_float(x->a), as_float(x->b)});
}

std::optional<Value> Divmod(const CallSite& call) {
  const std::optional<Operands> x = NumberOperands(call);
  if (!x) return std::nullopt;
  return TupleOf({Compute(call, *x, Instruction::kFloorDiv, FloorDivInts, FloorDivFloats),
                  Compute(call, *x, Instruction::kMod, ModInts, ModFloats)});
}

std::optional<Value> Negate(const CallSite& call) {
  const Value x = Plain(call.At(0));
  if (!IsNumber(x)) return std::nullopt;
  if (x.As<Number>() != nullptr) return call.Arithmetic(Instruction::kNeg, {x});
  if (const auto* d = x.As<double>()) return Value{-*d};
  return Value{SubInts(0, IntOf(x))};
}

template <bool kLeft>
std::optional<Value> Shift(const CallSite& call) {
  const std::optional<Operands> x = NumberOperands(call);
  if (!x) return std::nullopt;
  const bool is_known = IsKnownNumber(x->b);
  const int64_t bits = is_known ? IntOf(x->b) : 0;
  if (bits < 0 || bits > 62) throw Refusal::Raised("shift by " + std::to_string(bits) + " bits");
  if (!x->is_known) {
    const Value factor =
        is_known ? Value{int64_t{1} << bits} : call.Arithmetic(Instruction::kPow, {Value{int64_t{2}}, x->b});
    return call.Arithmetic(kLeft ? Instruction::kMul : Instruction::kFloorDiv, {x->a, factor});
  }
  return Value{kLeft ? MulInts(IntOf(x->a), int64_t{1} << bits) : IntOf(x->a) >> bits};
}

constexpr BuiltinRow kRows[] = {
    {"aten::add", Binary<Instruction::kAdd, AddInts, AddFloats>},
    {"aten::sub", Binary<Instruction::kSub, SubInts, SubFloats>},
    {"aten::mul", Binary<Instruction::kMul, MulInts, MulFloats>},
    {"aten::floordiv", Binary<Instruction::kFloorDiv, FloorDivInts, FloorDivFloats>},
    {"aten::remainder", Binary<Instruction::kMod, ModInts, ModFloats>},
    {"aten::div", TrueDivide},
    {"aten::__round_to_zero_floordiv", ToZeroDivide},
    {"aten::pow", Power},
    {"aten::divmod", Divmod},
    {"aten::neg", Negate},
    {"aten::__lshift__", Shift<true>},
    {"aten::__rshift__", Shift<false>},
};

}  // namespace
}  // namespace arithmetic

std::span<const BuiltinRow> ArithmeticBuiltins() { return arithmetic::kRows; }

Value AddNumbers(const CallSite& call, const Value& a, const Value& b) {
  Operands x{Plain(a), Plain(b)};
  x.is_known = IsKnownNumber(x.a) && IsKnownNumber(x.b);
  x.has_float = x.a.As<double>() != nullptr || x.b.As<double>() != nullptr;
  return arithmetic::Compute(call, x, Instruction::kAdd, arithmetic::AddInts, arithmetic::AddFloats);
}

}  // namespace onnxport::torchscript
