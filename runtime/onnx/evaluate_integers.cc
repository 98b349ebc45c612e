#include <algorithm>

#include "runtime/ir/read_node.h"
#include "runtime/onnx/evaluate_rules.h"

namespace onnxport::onnx_ops {
namespace {

using ir::DType;

using BinaryFunction = std::optional<int64_t> (*)(int64_t a, int64_t b);

// The dtype is that of the result: the operands' for arithmetic, bool for comparisons.
Result Elementwise(const KnownTensor* a, const KnownTensor* b, DType dtype, BinaryFunction function) {
  if (a == nullptr || b == nullptr) return std::nullopt;
  const std::optional<Ints> shape = Broadcast(a->shape, b->shape);
  if (!shape) return std::nullopt;
  return MakeResult(dtype, *shape, [&](int64_t i) { return function(At(*a, *shape, i), At(*b, *shape, i)); });
}

// Max and Min take any number of inputs, the others two. Elements are wrapped to the dtype after each step, as runtimes
// compute in it.
template <BinaryFunction kFunction>
Result IntegerArithmetic(const Call& call) {
  Result result = call.input(0) != nullptr ? std::optional(*call.input(0)) : std::nullopt;
  for (size_t i = 1; result && i < call.inputs.size(); ++i) {
    result = Elementwise(&*result, call.input(i), result->dtype, kFunction);
  }
  return result;
}

template <BinaryFunction kFunction>
Result IntegerComparison(const Call& call) {
  return Elementwise(call.input(0), call.input(1), DType::kBool, kFunction);
}

// Unsigned, as signed overflow is undefined.
std::optional<int64_t> Plus(int64_t a, int64_t b) { return static_cast<uint64_t>(a) + static_cast<uint64_t>(b); }
std::optional<int64_t> Minus(int64_t a, int64_t b) { return static_cast<uint64_t>(a) - static_cast<uint64_t>(b); }
std::optional<int64_t> Times(int64_t a, int64_t b) { return static_cast<uint64_t>(a) * static_cast<uint64_t>(b); }
std::optional<int64_t> Quotient(int64_t a, int64_t b) {
  if (b == 0 || (b == -1 && a == INT64_MIN)) return std::nullopt;
  if (a % b != 0 && (a < 0) != (b < 0)) return std::nullopt;  // rounded down by some, to zero by others
  return a / b;
}
std::optional<int64_t> Remainder(int64_t a, int64_t b) {
  if (b == 0 || (b == -1 && a == INT64_MIN)) return std::nullopt;
  const int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;  // the sign is the divisor's
}
std::optional<int64_t> Smaller(int64_t a, int64_t b) { return std::min(a, b); }
std::optional<int64_t> Larger(int64_t a, int64_t b) { return std::max(a, b); }
std::optional<int64_t> IsEqual(int64_t a, int64_t b) { return a == b; }
std::optional<int64_t> IsLess(int64_t a, int64_t b) { return a < b; }
std::optional<int64_t> IsLessOrEqual(int64_t a, int64_t b) { return a <= b; }
std::optional<int64_t> IsGreater(int64_t a, int64_t b) { return a > b; }
std::optional<int64_t> IsGreaterOrEqual(int64_t a, int64_t b) { return a >= b; }
std::optional<int64_t> Both(int64_t a, int64_t b) { return a && b; }
std::optional<int64_t> Either(int64_t a, int64_t b) { return a || b; }
std::optional<int64_t> OneOf(int64_t a, int64_t b) { return a != b; }

template <int64_t (*kFunction)(int64_t)>
Result Unary(const Call& call) {
  const KnownTensor* x = call.input(0);
  if (x == nullptr) return std::nullopt;
  return MakeResult(x->dtype, x->shape, [x](int64_t i) { return kFunction(x->elements[i]); });
}

// The negative of INT64_MIN is itself, as in two's complement everywhere.
int64_t Negated(int64_t a) { return -static_cast<uint64_t>(a); }
int64_t Magnitude(int64_t a) { return a < 0 ? Negated(a) : a; }
int64_t Inverted(int64_t a) { return a == 0; }

}  // namespace

namespace integers {

Result Abs(const Call& call) { return Unary<Magnitude>(call); }
Result Add(const Call& call) { return IntegerArithmetic<Plus>(call); }
Result And(const Call& call) { return IntegerComparison<Both>(call); }

Result Cast(const Call& call) {
  const KnownTensor* x = call.input(0);
  const auto to = ir::DTypeOfNumber(IntAttribute(call.node, "to", 0));
  if (x == nullptr || !IsFoldable(to)) return std::nullopt;  // to no float: `floats::Cast`
  return MakeResult(to, x->shape, [x](int64_t i) { return x->elements[i]; });
}

Result Div(const Call& call) { return IntegerArithmetic<Quotient>(call); }
Result Equal(const Call& call) { return IntegerComparison<IsEqual>(call); }
Result Greater(const Call& call) { return IntegerComparison<IsGreater>(call); }
Result GreaterOrEqual(const Call& call) { return IntegerComparison<IsGreaterOrEqual>(call); }
Result Less(const Call& call) { return IntegerComparison<IsLess>(call); }
Result LessOrEqual(const Call& call) { return IntegerComparison<IsLessOrEqual>(call); }
Result Max(const Call& call) { return IntegerArithmetic<Larger>(call); }
Result Min(const Call& call) { return IntegerArithmetic<Smaller>(call); }

Result Mod(const Call& call) {
  if (IntAttribute(call.node, "fmod", 0) != 0) return std::nullopt;
  return IntegerArithmetic<Remainder>(call);
}

Result Mul(const Call& call) { return IntegerArithmetic<Times>(call); }
Result Neg(const Call& call) { return Unary<Negated>(call); }
Result Not(const Call& call) { return Unary<Inverted>(call); }
Result Or(const Call& call) { return IntegerComparison<Either>(call); }
Result Sub(const Call& call) { return IntegerArithmetic<Minus>(call); }
Result Xor(const Call& call) { return IntegerComparison<OneOf>(call); }

}  // namespace integers
}  // namespace onnxport::onnx_ops
