// Arithmetic on sizes, as Python has it.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>

#include "runtime/base/refusal.h"
#include "runtime/verify/program/machine.h"

namespace onnxport::verify {
namespace {

using c10::IValue;
using ir::Instruction;
using Values = std::vector<IValue>;
using Function = std::function<IValue(const Values&)>;

bool IsWhole(const IValue& value) { return value.isInt() || value.isBool(); }
int64_t Whole(const IValue& value) { return value.isBool() ? static_cast<int64_t>(value.toBool()) : value.toInt(); }
double Real(const IValue& value) { return IsWhole(value) ? static_cast<double>(Whole(value)) : value.toDouble(); }
bool True(const IValue& value) { return Real(value) != 0; }

// Python's ints have no end, those of LibTorch do.
[[noreturn]] void Overflow() { throw Refusal("a number beyond 64 bits"); }

int64_t Sum(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) Overflow();
  return sum;
}

int64_t Difference(int64_t a, int64_t b) {
  int64_t difference = 0;
  if (__builtin_sub_overflow(a, b, &difference)) Overflow();
  return difference;
}

int64_t Product(int64_t a, int64_t b) {
  int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) Overflow();
  return product;
}

int64_t Negative(int64_t a) { return Difference(0, a); }

// Python rounds down, C++ towards 0: -7 // 2 is -4, and -7 % 2, which is made of it below, is 1.
int64_t FloorDiv(int64_t a, int64_t b) {
  if (b == 0) throw Refusal("a division by 0");
  if (b == -1) return Negative(a);
  return a / b - static_cast<int64_t>(a % b != 0 && (a < 0) != (b < 0));
}

int64_t Remainder(int64_t a, int64_t b) {
  // The quotient of the smallest number by -1 has no place in 64 bits, and the remainder is 0.
  return b == -1 ? 0 : a - b * FloorDiv(a, b);
}

// The cast of a float without a place among the ints is undefined; Python has an int for each, but for NaN and
// infinity.
int64_t WholeOf(double number) {
  if (!(number >= -0x1p63 && number < 0x1p63)) Overflow();
  return static_cast<int64_t>(number);
}

// Two ints give an int, others a float.
template <typename Int, typename Float>
Function Arithmetic(Int on_ints, Float on_floats) {
  return [=](const Values& v) {
    if (IsWhole(v.at(0)) && IsWhole(v.at(1))) return IValue(on_ints(Whole(v[0]), Whole(v[1])));
    return IValue(on_floats(Real(v[0]), Real(v.at(1))));
  };
}

template <typename Operation>
Function Binary(Operation operation) {
  return Arithmetic(operation, operation);
}

template <typename Operation>
Function OfFloat(Operation operation) {
  return [=](const Values& v) { return IValue(operation(Real(v.at(0)))); };
}

// A float becomes an int, which an int is already.
template <typename Operation>
Function ToInt(Operation operation) {
  return [=](const Values& v) {
    return IsWhole(v.at(0)) ? IValue(Whole(v[0])) : IValue(WholeOf(operation(v[0].toDouble())));
  };
}

IValue Power(const Values& v) {
  if (!IsWhole(v.at(0)) || !IsWhole(v.at(1)) || Whole(v[1]) < 0) return std::pow(Real(v[0]), Real(v[1]));
  int64_t power = 1;
  const int64_t base = Whole(v[0]);
  // A power of 0, 1 or -1 by 10^18 must not take as many steps: 2 or 3 give the same, even or odd. Any other base is
  // beyond 64 bits after 64 steps at most.
  const bool settles = base == 0 || base == 1 || base == -1;
  const int64_t times = settles ? std::min<int64_t>(Whole(v[1]), 2 + Whole(v[1]) % 2) : Whole(v[1]);
  for (int64_t i = 0; i < times; ++i) {
    power = Product(power, base);
  }
  return power;
}

const std::map<Instruction, Function>& Functions() {
  using I = Instruction;
  // Written anew and not taken from the exporter, which computes the same instructions in lowering/host: a mistake
  // there would be on both sides here.
  static const std::map<Instruction, Function> functions = {
      {I::kAbs,
       [](const Values& v) {
         if (!IsWhole(v.at(0))) return IValue(std::fabs(Real(v[0])));
         return IValue(Whole(v[0]) < 0 ? Negative(Whole(v[0])) : Whole(v[0]));
       }},
      {I::kAdd, Arithmetic(Sum, std::plus<>())},
      {I::kAnd, [](const Values& v) { return True(v.at(0)) && True(v.at(1)); }},
      {I::kCeil, ToInt([](double x) { return std::ceil(x); })},
      {I::kEq, Binary(std::equal_to<>())},
      {I::kFloat, OfFloat([](double x) { return x; })},
      {I::kFloor, ToInt([](double x) { return std::floor(x); })},
      {I::kFloorDiv, Arithmetic(FloorDiv, [](double a, double b) { return std::floor(a / b); })},
      {I::kGe, Binary(std::greater_equal<>())},
      {I::kGt, Binary(std::greater<>())},
      {I::kInt, ToInt([](double x) { return std::trunc(x); })},
      {I::kIte, [](const Values& v) { return True(v.at(0)) ? v.at(1) : v.at(2); }},
      {I::kLe, Binary(std::less_equal<>())},
      {I::kLt, Binary(std::less<>())},
      {I::kMax, Binary([](auto a, auto b) { return std::max(a, b); })},
      {I::kMin, Binary([](auto a, auto b) { return std::min(a, b); })},
      {I::kMod, Arithmetic(Remainder, [](double a, double b) { return a - b * std::floor(a / b); })},
      {I::kMul, Arithmetic(Product, std::multiplies<>())},
      {I::kNe, Binary(std::not_equal_to<>())},
      {I::kNeg, [](const Values& v) { return IsWhole(v.at(0)) ? IValue(Negative(Whole(v[0]))) : IValue(-Real(v[0])); }},
      {I::kNot, [](const Values& v) { return !True(v.at(0)); }},
      {I::kOr, [](const Values& v) { return True(v.at(0)) || True(v.at(1)); }},
      {I::kPow, Power},
      // To the even number at a half, as Python's `round`: 2.5 becomes 2.
      {I::kRound, ToInt([](double x) { return std::nearbyint(x); })},
      {I::kSqrt, OfFloat([](double x) { return std::sqrt(x); })},
      {I::kSub, Arithmetic(Difference, std::minus<>())},
      {I::kTrueDiv, [](const Values& v) { return Real(v.at(0)) / Real(v.at(1)); }},
      {I::kTrunc, ToInt([](double x) { return std::trunc(x); })},
  };
  return functions;
}

}  // namespace

IValue Compute(Instruction instruction, const Values& arguments) {
  const auto found = Functions().find(instruction);
  if (found == Functions().end()) throw Refusal("a function on numbers that is not known here");
  return found->second(arguments);
}

}  // namespace onnxport::verify
