#include "codegen/specialize/literals.h"

#include <optional>

namespace onnxport::codegen {
namespace {

ExprPtr Make(ExprKind kind, const Place& place, auto&& fill) {
  auto expr = std::make_shared<Expr>();
  expr->kind = kind;
  expr->place = place;
  fill(*expr);
  return expr;
}

// Only what is exact and short. `/` gives floats, `//` and `%` may divide by 0, and `**` may be large; all are left to
// the runtime, which has their errors.
std::optional<int64_t> Arithmetic(Operator op, int64_t a, int64_t b) {
  int64_t result = 0;
  switch (op) {
    case Operator::kAdd:
      return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case Operator::kSubtract:
      return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case Operator::kMultiply:
      return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    default:
      return std::nullopt;
  }
}

std::optional<bool> CompareInts(Operator op, int64_t a, int64_t b) {
  switch (op) {
    case Operator::kEqual:
      return a == b;
    case Operator::kNotEqual:
      return a != b;
    case Operator::kLess:
      return a < b;
    case Operator::kLessEqual:
      return a <= b;
    case Operator::kGreater:
      return a > b;
    case Operator::kGreaterEqual:
      return a >= b;
    default:
      return std::nullopt;
  }
}

// Nothing for operands of different kinds, and for operators that do not compare. `dtype == None` is decided, as None
// equals only itself; 1 == 1.0 is left to the runtime.
std::optional<bool> Compare(Operator op, const Expr& a, const Expr& b) {
  if (a.kind == ExprKind::kInt && b.kind == ExprKind::kInt) return CompareInts(op, a.int_value, b.int_value);
  if (op != Operator::kEqual && op != Operator::kNotEqual) return std::nullopt;
  std::optional<bool> equal;
  if (a.kind == ExprKind::kNone || b.kind == ExprKind::kNone) equal = a.kind == b.kind;
  if (a.kind == ExprKind::kString && b.kind == ExprKind::kString) equal = a.text == b.text;
  if (a.kind == ExprKind::kBool && b.kind == ExprKind::kBool) equal = a.bool_value == b.bool_value;
  if (!equal) return std::nullopt;
  return *equal == (op == Operator::kEqual);
}

}  // namespace

bool IsLiteral(const Expr& expr) {
  return expr.kind == ExprKind::kNone || expr.kind == ExprKind::kBool || expr.kind == ExprKind::kInt ||
         expr.kind == ExprKind::kFloat || expr.kind == ExprKind::kString;
}

bool IsLiteral(const Expr& expr, bool truth) { return IsLiteral(expr) && LiteralTruth(expr) == truth; }

bool LiteralTruth(const Expr& literal) {
  switch (literal.kind) {
    case ExprKind::kBool:
      return literal.bool_value;
    case ExprKind::kInt:
      return literal.int_value != 0;
    case ExprKind::kFloat:
      return literal.float_value != 0;
    case ExprKind::kString:
      return !literal.text.empty();
    default:
      return false;
  }
}

ExprPtr NoneLiteral(const Place& place) {
  return Make(ExprKind::kNone, place, [](Expr&) {});
}

ExprPtr BoolLiteral(bool value, const Place& place) {
  return Make(ExprKind::kBool, place, [&](Expr& expr) { expr.bool_value = value; });
}

ExprPtr IntLiteral(int64_t value, const Place& place) {
  return Make(ExprKind::kInt, place, [&](Expr& expr) { expr.int_value = value; });
}

ExprPtr StringLiteral(std::string text, const Place& place) {
  return Make(ExprKind::kString, place, [&](Expr& expr) { expr.text = std::move(text); });
}

ExprPtr ComputeUnary(const Expr& expr, const Expr& operand) {
  if (expr.op == Operator::kNot) return IsLiteral(operand) ? BoolLiteral(!LiteralTruth(operand), expr.place) : nullptr;
  if (operand.kind == ExprKind::kInt && operand.int_value != INT64_MIN)
    return IntLiteral(-operand.int_value, expr.place);
  if (operand.kind == ExprKind::kFloat)
    return Make(ExprKind::kFloat, expr.place, [&](Expr& made) { made.float_value = -operand.float_value; });
  return nullptr;
}

ExprPtr ComputeBinary(const Expr& expr, const Expr& a, const Expr& b) {
  if (!IsLiteral(a) || !IsLiteral(b)) return nullptr;
  if (const auto result = Compare(expr.op, a, b)) return BoolLiteral(*result, expr.place);
  if (a.kind != ExprKind::kInt || b.kind != ExprKind::kInt) return nullptr;
  if (const auto result = Arithmetic(expr.op, a.int_value, b.int_value)) return IntLiteral(*result, expr.place);
  return nullptr;
}

}  // namespace onnxport::codegen
