#include "codegen/specialize/literals.h"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <variant>

#include "runtime/base/host_value.h"

namespace onnxport::codegen {
namespace {

ExprPtr Make(ExprKind kind, const Place& place, auto&& fill) {
  auto expr = std::make_shared<Expr>();
  expr->kind = kind;
  expr->place = place;
  fill(*expr);
  return expr;
}

host::Value ValueOf(const Expr& literal) {
  switch (literal.kind) {
    case ExprKind::kBool:
      return literal.bool_value;
    case ExprKind::kInt:
      return literal.int_value;
    case ExprKind::kFloat:
      return literal.float_value;
    case ExprKind::kString:
      return literal.text;
    default:
      return {};
  }
}

ExprPtr LiteralOf(const host::Value& value, const Place& place) {
  if (const bool* b = std::get_if<bool>(&value)) return BoolLiteral(*b, place);
  if (const int64_t* i = std::get_if<int64_t>(&value)) return IntLiteral(*i, place);
  if (const double* d = std::get_if<double>(&value))
    return Make(ExprKind::kFloat, place, [&](Expr& expr) { expr.float_value = *d; });
  if (const std::string* text = std::get_if<std::string>(&value)) return StringLiteral(*text, place);
  return NoneLiteral(place);
}

host::Value Compute(Operator op, const host::Value& a, const host::Value& b) {
  switch (op) {
    case Operator::kAdd:
      return host::Add(a, b);
    case Operator::kSubtract:
      return host::Subtract(a, b);
    case Operator::kMultiply:
      return host::Multiply(a, b);
    case Operator::kDivide:
      return host::Divide(a, b);
    case Operator::kFloorDivide:
      return host::FloorDivide(a, b);
    case Operator::kModulo:
      return host::Modulo(a, b);
    case Operator::kPower:
      return host::Power(a, b);
    case Operator::kEqual:
      return host::Equal(a, b);
    case Operator::kNotEqual:
      return !host::Equal(a, b);
    case Operator::kLess:
      return host::Less(a, b);
    case Operator::kLessEqual:
      return host::LessEqual(a, b);
    case Operator::kGreater:
      return host::Less(b, a);
    case Operator::kGreaterEqual:
      return host::LessEqual(b, a);
    case Operator::kIn:
      return host::IsIn(a, b);
    case Operator::kNotIn:
      return !host::IsIn(a, b);
    case Operator::kNegate:
    case Operator::kNot:
    case Operator::kAnd:
    case Operator::kOr:
      break;
  }
  throw std::logic_error("not an operator that computes with two values");
}

}  // namespace

bool IsLiteral(const Expr& expr) {
  return expr.kind == ExprKind::kNone || expr.kind == ExprKind::kBool || expr.kind == ExprKind::kInt ||
         expr.kind == ExprKind::kFloat || expr.kind == ExprKind::kString;
}

bool IsLiteral(const Expr& expr, bool truth) { return IsLiteral(expr) && LiteralTruth(expr) == truth; }

bool LiteralTruth(const Expr& literal) { return host::Truth(ValueOf(literal)); }

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

ExprPtr ComputeLiterals(const Expr& expr) {
  if (!std::ranges::all_of(expr.operands, [](const ExprPtr& operand) { return IsLiteral(*operand); })) return nullptr;
  const host::Value a = ValueOf(*expr.operands[0]);
  if (expr.op == Operator::kNot) return BoolLiteral(!host::Truth(a), expr.place);
  if (expr.op == Operator::kNegate) return LiteralOf(host::Negate(a), expr.place);
  return LiteralOf(Compute(expr.op, a, ValueOf(*expr.operands[1])), expr.place);
}

}  // namespace onnxport::codegen
