// The results are the same on every machine: see elementary.h.
#include <cmath>
#include <limits>

#include "runtime/ir/read_node.h"
#include "runtime/onnx/elementary.h"
#include "runtime/onnx/evaluate_rules.h"

namespace onnxport::onnx_ops {
namespace {

using ir::DType;

// Returns nothing for NaN: runtimes differ in its bits.
std::optional<int64_t> Rounded(double number, DType dtype) {
  if (std::isnan(number)) return std::nullopt;
  return FromFloat(dtype == DType::kFloat32 ? static_cast<float>(number) : number);
}

// Computes in double precision and rounds to the dtype. For these functions the dtype's own arithmetic gives the same
// result.
template <double (*kFunction)(double)>
Result Exact(const Call& call) {
  const KnownTensor* x = call.input(0);
  if (x == nullptr || !ir::IsFloat(x->dtype)) return std::nullopt;
  return MakeResult(x->dtype, x->shape,
                    [x](int64_t i) { return Rounded(kFunction(ToFloat(x->elements[i])), x->dtype); });
}

// For float32 only: double precision has digits to spare.
template <std::optional<double> (*kFunction)(double)>
Result Nearest(const Call& call) {
  const KnownTensor* x = call.input(0);
  if (x == nullptr || x->dtype != DType::kFloat32) return std::nullopt;
  return MakeResult(x->dtype, x->shape, [x](int64_t i) -> std::optional<int64_t> {
    const std::optional<double> number = kFunction(ToFloat(x->elements[i]));
    return number ? Rounded(*number, x->dtype) : std::nullopt;
  });
}

template <typename ElementFunction>
Result OfTwo(const Call& call, const ElementFunction& element) {
  const KnownTensor* a = call.input(0);
  const KnownTensor* b = call.input(1);
  if (a == nullptr || b == nullptr || a->dtype != b->dtype || call.inputs.size() != 2) return std::nullopt;
  const std::optional<Ints> shape = Broadcast(a->shape, b->shape);
  const std::optional<DType> dtype = element.Result(a->dtype);
  if (!shape || !dtype) return std::nullopt;
  return MakeResult(*dtype, *shape, [&](int64_t i) {
    return element.At(ToFloat(At(*a, *shape, i)), ToFloat(At(*b, *shape, i)), a->dtype);
  });
}

template <double (*kFunction)(double, double)>
struct Arithmetic {
  static std::optional<DType> Result(DType dtype) { return dtype; }
  static std::optional<int64_t> At(double a, double b, DType dtype) { return Rounded(kFunction(a, b), dtype); }
};

struct PowerOf {
  static std::optional<DType> Result(DType dtype) {
    return dtype == DType::kFloat32 ? std::optional(dtype) : std::nullopt;
  }
  static std::optional<int64_t> At(double a, double b, DType dtype) {
    const std::optional<double> number = Power(a, b);
    return number ? Rounded(*number, dtype) : std::nullopt;
  }
};

template <bool (*kFunction)(double, double)>
struct Comparison {
  static std::optional<DType> Result(DType) { return DType::kBool; }
  static std::optional<int64_t> At(double a, double b, DType) { return kFunction(a, b); }
};

template <typename ElementFunction>
Result Binary(const Call& call) {
  return OfTwo(call, ElementFunction());
}

// A double has more than twice as many digits as a float32 (53 and 24). So for these four and the root, the double's
// result rounded to float32 is the result of float32 arithmetic.
double Plus(double a, double b) { return a + b; }
double Minus(double a, double b) { return a - b; }
double Times(double a, double b) { return a * b; }
double Quotient(double a, double b) { return a / b; }
bool IsEqual(double a, double b) { return a == b; }
bool IsLess(double a, double b) { return a < b; }
bool IsLessOrEqual(double a, double b) { return a <= b; }
bool IsGreater(double a, double b) { return a > b; }
bool IsGreaterOrEqual(double a, double b) { return a >= b; }

double Negated(double a) { return -a; }
double Inverted(double a) { return 1 / a; }
double Magnitude(double a) { return std::abs(a); }
double Root(double a) { return std::sqrt(a); }
double RoundedDown(double a) { return std::floor(a); }
double RoundedUp(double a) { return std::ceil(a); }

// Rounds towards zero. Returns nothing if runtimes differ.
std::optional<int64_t> AsInteger(double number, DType dtype) {
  if (dtype == DType::kBool) return number != 0;
  // A number below the range of int64, such as the logarithm of 0, becomes the least int64 on every processor. Some
  // processors saturate; others give this number for everything out of range.
  if (dtype == DType::kInt64 && number <= -0x1p63) return std::numeric_limits<int64_t>::min();
  // Other numbers out of range saturate on some processors and wrap on others, and NaN becomes anything.
  if (!(std::abs(number) < 0x1p62)) return std::nullopt;
  const auto integer = static_cast<int64_t>(number);
  return Wrap(integer, dtype) == integer ? std::optional(integer) : std::nullopt;
}

}  // namespace

namespace floats {

Result Abs(const Call& call) { return Exact<Magnitude>(call); }
Result Add(const Call& call) { return Binary<Arithmetic<Plus>>(call); }

Result Cast(const Call& call) {
  const KnownTensor* x = call.input(0);
  const DType to = ir::DTypeOfNumber(IntAttribute(call.node, "to", 0));
  if (x == nullptr || !IsFoldable(to)) return std::nullopt;
  const bool from_float = ir::IsFloat(x->dtype);
  return MakeResult(to, x->shape, [&](int64_t i) -> std::optional<int64_t> {
    const int64_t element = x->elements[i];
    if (from_float && !ir::IsFloat(to)) return AsInteger(ToFloat(element), to);
    if (from_float) return Rounded(ToFloat(element), to);
    // An integer that a double cannot hold would be rounded twice.
    const bool held = element <= int64_t{1} << 53 && element >= -(int64_t{1} << 53);
    return held ? Rounded(static_cast<double>(element), to) : std::nullopt;
  });
}

Result Ceil(const Call& call) { return Exact<RoundedUp>(call); }
Result Cos(const Call& call) { return Nearest<Cosine>(call); }
Result Div(const Call& call) { return Binary<Arithmetic<Quotient>>(call); }
Result Equal(const Call& call) { return Binary<Comparison<IsEqual>>(call); }
Result Exp(const Call& call) { return Nearest<Exponential>(call); }
Result Floor(const Call& call) { return Exact<RoundedDown>(call); }
Result Greater(const Call& call) { return Binary<Comparison<IsGreater>>(call); }
Result GreaterOrEqual(const Call& call) { return Binary<Comparison<IsGreaterOrEqual>>(call); }
Result Less(const Call& call) { return Binary<Comparison<IsLess>>(call); }
Result LessOrEqual(const Call& call) { return Binary<Comparison<IsLessOrEqual>>(call); }
Result Log(const Call& call) { return Nearest<Logarithm>(call); }
Result Mul(const Call& call) { return Binary<Arithmetic<Times>>(call); }
Result Neg(const Call& call) { return Exact<Negated>(call); }
Result Pow(const Call& call) { return Binary<PowerOf>(call); }
Result Reciprocal(const Call& call) { return Exact<Inverted>(call); }
Result Sin(const Call& call) { return Nearest<Sine>(call); }
Result Sqrt(const Call& call) { return Exact<Root>(call); }
Result Sub(const Call& call) { return Binary<Arithmetic<Minus>>(call); }

}  // namespace floats
}  // namespace onnxport::onnx_ops
