#include <algorithm>
#include <map>

#include "runtime/ir/read_node.h"
#include "runtime/passes/evaluate_call.h"

namespace onnxport::passes {
namespace {

using ir::DType;

using BinaryFunction = std::optional<int64_t> (*)(int64_t a, int64_t b);

Result Elementwise(const KnownTensor* a, const KnownTensor* b, DType dtype, BinaryFunction function) {
  if (a == nullptr || b == nullptr) return std::nullopt;
  const std::optional<Ints> shape = Broadcast(a->shape, b->shape);
  if (!shape) return std::nullopt;
  return MakeResult(dtype, *shape, [&](int64_t i) { return function(At(*a, *shape, i), At(*b, *shape, i)); });
}

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

int64_t Negated(int64_t a) { return -static_cast<uint64_t>(a); }
int64_t Magnitude(int64_t a) { return a < 0 ? Negated(a) : a; }
int64_t Inverted(int64_t a) { return a == 0; }

Result Mod(const Call& call) {
  if (IntAttribute(call.node, "fmod", 0) != 0) return std::nullopt;
  return IntegerArithmetic<Remainder>(call);
}

Result IntegerCast(const Call& call) {
  const KnownTensor* x = call.input(0);
  const auto to = ir::DTypeOfNumber(IntAttribute(call.node, "to", 0));
  if (x == nullptr || !IsFoldable(to)) return std::nullopt;  // to no float: `FindFloats`
  return MakeResult(to, x->shape, [x](int64_t i) { return x->elements[i]; });
}

}  // namespace

Function FindIntegers(std::string_view op) {
  static const std::map<std::string_view, Function> kFunctions = {
      {"Abs", Unary<Magnitude>},
      {"Add", IntegerArithmetic<Plus>},
      {"And", IntegerComparison<Both>},
      {"Cast", IntegerCast},
      {"Div", IntegerArithmetic<Quotient>},
      {"Equal", IntegerComparison<IsEqual>},
      {"Greater", IntegerComparison<IsGreater>},
      {"GreaterOrEqual", IntegerComparison<IsGreaterOrEqual>},
      {"Less", IntegerComparison<IsLess>},
      {"LessOrEqual", IntegerComparison<IsLessOrEqual>},
      {"Max", IntegerArithmetic<Larger>},
      {"Min", IntegerArithmetic<Smaller>},
      {"Mod", Mod},
      {"Mul", IntegerArithmetic<Times>},
      {"Neg", Unary<Negated>},
      {"Not", Unary<Inverted>},
      {"Or", IntegerComparison<Either>},
      {"Sub", IntegerArithmetic<Minus>},
      {"Xor", IntegerComparison<OneOf>},
  };
  const auto found = kFunctions.find(op);
  return found == kFunctions.end() ? nullptr : found->second;
}

}  // namespace onnxport::passes
