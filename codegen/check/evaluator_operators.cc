// Comparisons and arithmetic on kinds.
#include <fmt/format.h>

#include "codegen/check/evaluator.h"
#include "codegen/specialize/literals.h"
#include "runtime/base/refusal.h"

namespace onnxport::codegen {
namespace {

// Within a class values can be equal, an int and a float for example; between two of them they never are.
constexpr uint16_t kClasses[] = {Kind::kValue, Kind::kText, Kind::kDType, Kind::kList, Kind::kOther};

// Returns whether values of the two kinds can be equal. None can be compared with everything.
bool Comparable(const Kind& a, const Kind& b) {
  if (a.May(Kind::kNone) || b.May(Kind::kNone)) return true;
  for (const uint16_t kinds : kClasses)
    if (a.May(kinds) && b.May(kinds)) return true;
  return false;
}

// How often a list is repeated.
constexpr uint16_t kCount = Kind::kInt | Kind::kBool;

bool Ordered(const Kind& a, const Kind& b) {
  return (a.May(Kind::kValue) && b.May(Kind::kValue)) || (a.May(Kind::kText) && b.May(Kind::kText));
}

// A tensor whose contents no export knows: those of small integer tensors may be known.
bool IsOpaque(const Kind& kind) { return kind.Only(Kind::kTensor) && (kind.dtypes & (kIntTypes | kBoolType)).empty(); }

// `self == 0.5`
bool NeverDecided(const Kind& a, const Kind& b) {
  const auto opaque = [](const Kind& tensor, const Kind& other) {
    return (IsOpaque(tensor) && other.Only(Kind::kNumber)) || (tensor.Only(Kind::kTensor) && other.Only(Kind::kFloat));
  };
  return opaque(a, b) || opaque(b, a);
}

const char* OrderHint(const Kind& a, const Kind& b) {
  return a.Only(Kind::kList) || b.Only(Kind::kList) ? "; `len(x)` counts the elements of a list" : "";
}

// The kinds of a numeric result: `/` gives a float, `**` may give one (2 ** -1), and an operation on two sizes may
// cancel out to a number.
uint16_t NumberBits(Operator op, uint16_t bits) {
  if (op == Operator::kDivide) return Kind::kFloat | (bits & Kind::kSize);
  uint16_t result = bits & (Kind::kInt | Kind::kFloat | Kind::kSize);
  if (op == Operator::kPower) result |= Kind::kFloat;
  if (bits & (Kind::kBool | Kind::kSize)) result |= Kind::kInt;  // `n - n` is 0
  return result;
}

}  // namespace

Kind Evaluator::Comparison(const Expr& expr, Environment& names) {
  const Kind a = Evaluate(expr.operands[0], names);
  const Kind b = Evaluate(expr.operands[1], names);
  const std::string_view op = InfoOf(expr.op).text;
  const bool looks_into = expr.op == Operator::kIn || expr.op == Operator::kNotIn;
  const bool asks_equality = expr.op == Operator::kEqual || expr.op == Operator::kNotEqual;
  if (a.unknown() || b.unknown()) return Of(Kind::kBool);
  if (looks_into) {
    if (!b.May(Kind::kList) && !(b.May(Kind::kText) && a.May(Kind::kText)))
      Issue(expr.place, fmt::format("`{}` looks into a list, or for a text in a text, here are {} and {}", op,
                                    ToText(a), ToText(b)));
  } else if (!(asks_equality ? Comparable(a, b) : Ordered(a, b))) {
    Issue(expr.place, asks_equality ? fmt::format("`{}` of {} and {}: they are never equal", op, ToText(a), ToText(b))
                                    : fmt::format("`{}` of {} and {}{}", op, ToText(a), ToText(b), OrderHint(a, b)));
  } else if (NeverDecided(a, b)) {
    Issue(expr.place, fmt::format("`{}` asks for the contents of a tensor, which no export knows; the nodes are Equal, "
                                  "Less and Greater",
                                  op));
  }
  return Of(Kind::kBool);
}

// Joined, or repeated.
Kind Evaluator::ListArithmetic(const Expr& expr, const Kind& a, const Kind& b) {
  const bool joins = expr.op == Operator::kAdd && a.May(Kind::kList) && b.May(Kind::kList);
  const bool repeats = expr.op == Operator::kMultiply && (a.May(kCount) || b.May(kCount));
  // One may be a list or something else; which of the two is not known here.
  if (!a.Only(Kind::kList) && !b.Only(Kind::kList)) return AnyKind();
  if (!joins && !repeats)
    Issue(expr.place, fmt::format("`{}` of {} and {}", InfoOf(expr.op).text, ToText(a), ToText(b)));
  Kind list = joins ? Join(a, b) : a.May(Kind::kList) ? a : b;
  list.bits = Kind::kList;
  list.items.clear();
  return list;
}

Kind Evaluator::Arithmetic(const Expr& expr, const Kind& a, const Kind& b) {
  const std::string_view op = InfoOf(expr.op).text;
  if (a.unknown() || b.unknown()) return AnyKind();
  if (a.May(Kind::kList) || b.May(Kind::kList)) return ListArithmetic(expr, a, b);
  const bool texts = expr.op == Operator::kAdd && a.May(Kind::kText) && b.May(Kind::kText);
  // None would be there only at run time, so it is a mistake unless a condition has ruled it out.
  const auto fits = [&](const Kind& side) { return side.May(Kind::kValue) && !side.May(Kind::kNone); };
  if (!texts && (!fits(a) || !fits(b))) {
    const bool unary = expr.kind == ExprKind::kUnary;
    Issue(expr.place, unary ? fmt::format("`{}` of {}", op, ToText(b))
                            : fmt::format("`{}` of {} and {}", op, ToText(a), ToText(b)));
    return AnyKind();
  }
  Kind result = Of(texts ? Kind::kText : 0);
  if (a.May(Kind::kTensor) || b.May(Kind::kTensor)) {
    const bool same = expr.op != Operator::kPower;  // an exponent has a type of its own
    const bool both = a.Only(Kind::kTensor) && b.Only(Kind::kTensor) && same;
    // Two tensors must have one dtype, as ONNX asks; a number takes the dtype of the tensor. Where a side is only
    // perhaps a tensor, any of both.
    const ir::DTypeSet dtypes = both                            ? a.dtypes & b.dtypes
                                : a.Only(Kind::kTensor)         ? a.dtypes
                                : b.Only(Kind::kTensor) && same ? b.dtypes
                                                                : a.dtypes | b.dtypes;
    if (dtypes.empty())
      Issue(expr.place,
            fmt::format("no type fits both sides of `{}`: {} and {}", op, ToText(a.dtypes), ToText(b.dtypes)));
    result = Join(result, TensorKind(dtypes.empty() ? kTensorTypes : dtypes));
  }
  if (a.May(Kind::kNumber) && b.May(Kind::kNumber)) result.bits |= NumberBits(expr.op, a.bits | b.bits);
  if (expr.op == Operator::kPower && a.May(Kind::kHostNumber) && b.May(Kind::kSize))
    result = Join(result, TensorKind({ir::DType::kFloat32}));  // the node Pow of a constant
  ReportUncomputable(expr);
  return result;
}

// `1 // 0`, `2 ** 64`: the runtime would refuse every call.
void Evaluator::ReportUncomputable(const Expr& expr) {
  try {
    ComputeLiterals(expr);
  } catch (const Refusal& refusal) {
    Issue(expr.place, refusal.what());
  }
}

}  // namespace onnxport::codegen
