#include "codegen/specialize/specializer.h"

#include <utility>

#include "codegen/specialize/literals.h"
#include "codegen/specialize/specialize.h"
#include "runtime/base/refusal.h"

namespace onnxport::codegen {
namespace {

// An operator, or its result if that is known. An operator without a result (`1 // 0`) stays: the checker reports it
// where it can be reached. Floats stay, so that generated code has `0.5 * pi` as the spec does.
ExprPtr Computed(ExprPtr expr) {
  try {
    const ExprPtr known = ComputeLiterals(*expr);
    const bool readable = known && (known->kind != ExprKind::kFloat || expr->kind == ExprKind::kUnary);
    return readable ? known : expr;
  } catch (const Refusal&) {
    return expr;
  }
}

}  // namespace

ExprPtr Specializer::Value(const ExprPtr& expr) const {
  if (!expr) return expr;
  switch (expr->kind) {
    case ExprKind::kOpset:
      return opset_ == kAnyOpset ? expr : IntLiteral(opset_, expr->place);
    case ExprKind::kName: {
      const auto found = known_.find(expr->text);
      // A dict has no value of its own; it is put in where it is spread with `**` (Operands).
      if (found == known_.end() || found->second->kind == ExprKind::kDict) return expr;
      auto copy = std::make_shared<Expr>(*found->second);
      // Mistakes are shown where the name is used and not where it was defined.
      copy->place = expr->place;
      return copy;
    }
    case ExprKind::kBuiltin:
      return Call(expr);
    case ExprKind::kConditional:
      return Conditional(expr);
    case ExprKind::kUnary: {
      const auto operand = expr->op == Operator::kNot ? Condition(expr->operands[0]) : Value(expr->operands[0]);
      auto copy = std::make_shared<Expr>(*expr);
      copy->operands = {operand};
      return Computed(std::move(copy));
    }
    case ExprKind::kLogic:
      return Logic(expr, false);
    case ExprKind::kArithmetic:
    case ExprKind::kComparison:
      return Computed(Operands(*expr));
    default:
      return Operands(*expr);
  }
}

ExprPtr Specializer::Condition(const ExprPtr& expr) const {
  if (!expr) return expr;
  if (expr->kind == ExprKind::kLogic) return Logic(expr, true);
  const ExprPtr value = Value(expr);
  return IsLiteral(*value) ? BoolLiteral(LiteralTruth(*value), value->place) : value;
}

ExprPtr Specializer::Logic(const ExprPtr& expr, bool condition) const {
  const bool decides = expr->op == Operator::kOr;  // the truth of one side that settles the whole
  const auto of_side = [&](const ExprPtr& side) { return condition ? Condition(side) : Value(side); };
  // Python gives a side and not a bool: `pad or 1` is the value of `pad`. So of `x and True` only a condition may
  // become `x`.
  const ExprPtr a = of_side(expr->operands[0]);
  if (IsLiteral(*a, decides)) return a;
  const ExprPtr b = of_side(expr->operands[1]);
  if (IsLiteral(*a, !decides)) return b;
  if (condition && IsLiteral(*b)) return LiteralTruth(*b) == decides ? b : a;
  auto copy = std::make_shared<Expr>(*expr);
  copy->operands = {a, b};
  return copy;
}

ExprPtr Specializer::Conditional(const ExprPtr& expr) const {
  const ExprPtr condition = Condition(expr->operands[1]);
  if (IsLiteral(*condition)) return Value(expr->operands[LiteralTruth(*condition) ? 0 : 2]);
  auto copy = std::make_shared<Expr>(*expr);
  copy->operands = {Value(expr->operands[0]), condition, Value(expr->operands[2])};
  return copy;
}

ExprPtr Specializer::Call(const ExprPtr& expr) const {
  const auto copy = Operands(*expr);
  if (expr->builtin != Builtin::kPresent || copy->operands.size() != 1) return copy;
  const Expr& asked = *copy->operands[0];
  if (IsLiteral(asked)) return BoolLiteral(asked.kind != ExprKind::kNone, expr->place);
  if (asked.kind == ExprKind::kName && present_.contains(asked.text)) return BoolLiteral(true, expr->place);
  return copy;
}

std::shared_ptr<Expr> Specializer::Operands(const Expr& expr) const {
  auto copy = std::make_shared<Expr>(expr);
  copy->operands.clear();
  copy->named.clear();
  const bool filtered = expr.kind == ExprKind::kComprehension;
  for (size_t i = 0; i < expr.operands.size(); ++i) {
    const ExprPtr& operand = expr.operands[i];
    const auto dict = operand->kind == ExprKind::kDoubleStar ? known_.find(operand->operands[0]->text) : known_.end();
    if (dict == known_.end()) {
      copy->operands.push_back(filtered && i == 2 ? Condition(operand) : Value(operand));
    } else {
      for (const auto& item : dict->second->named) copy->named.push_back(item);
    }
  }
  for (const auto& [name, value] : expr.named) copy->named.emplace_back(name, Value(value));
  return copy;
}

std::vector<Let> Specializer::Lets(const std::vector<Let>& lets) {
  std::vector<Let> kept;
  for (Let let : lets) {
    let.value = Value(let.value);
    const bool dict = let.value->kind == ExprKind::kDict;
    // `k: {group: groups}` and `n: 2` disappear here; each later expression has them in their places. In order: a let
    // may use those before it.
    if (let.names.size() == 1 && (dict || IsLiteral(*let.value)))
      known_[let.names[0]] = let.value;
    else
      kept.push_back(std::move(let));
  }
  return kept;
}

std::vector<Let> Specializer::Values(std::vector<Let> lets) const {
  for (Let& let : lets) let.value = Value(let.value);
  return lets;
}

}  // namespace onnxport::codegen
