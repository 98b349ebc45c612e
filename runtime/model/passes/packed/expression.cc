#include "runtime/model/passes/packed/expression.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace onnxport::passes {
namespace {

using Numbers = ElementMap::Numbers;

constexpr int kMostDepth = 256;

// Expressions share parts, and so do the moved ones.
class Movement {
 public:
  explicit Movement(const std::function<bool(ElementMap*)>& move) : move_(move) {}

  ExpressionRef Of(const ExpressionRef& whole) {
    if (const auto found = moved_.find(whole.get()); found != moved_.end()) return found->second;
    Expression copy = *whole;
    const bool fits = std::visit([this, &copy](auto& form) { return Move(&form, &copy.shape); }, copy.form);
    ExpressionRef result = fits ? std::make_shared<const Expression>(std::move(copy)) : nullptr;
    moved_.emplace(whole.get(), result);
    return result;
  }

 private:
  bool Move(Expression::Constant* constant, Numbers* shape) {
    if (!move_(&constant->map)) return false;
    *shape = constant->map.Shape();
    return true;
  }
  bool Move(Expression::Computed* computed, Numbers* shape) { return MoveAll(&computed->operands, shape); }
  bool Move(Expression::Chosen* chosen, Numbers* shape) {
    return move_(&chosen->map) && MoveAll(&chosen->operands, shape);
  }
  bool MoveAll(std::vector<ExpressionRef>* operands, Numbers* shape) {
    for (ExpressionRef& operand : *operands) {
      operand = Of(operand);
      if (operand == nullptr) return false;
      *shape = operand->shape;
    }
    return true;
  }

  const std::function<bool(ElementMap*)>& move_;
  std::unordered_map<const Expression*, ExpressionRef> moved_;
};

}  // namespace

std::span<const ExpressionRef> OperandsOf(const Expression& whole) {
  if (const auto* computed = std::get_if<Expression::Computed>(&whole.form)) return computed->operands;
  if (const auto* chosen = std::get_if<Expression::Chosen>(&whole.form)) return chosen->operands;
  return {};
}

ExpressionRef Moved(const ExpressionRef& whole, const std::function<bool(ElementMap* map)>& move) {
  return Movement(move).Of(whole);
}

ExpressionRef Combined(Expression whole) {
  for (const ExpressionRef& operand : OperandsOf(whole)) whole.depth = std::max(whole.depth, operand->depth + 1);
  return whole.depth > kMostDepth ? nullptr : std::make_shared<const Expression>(std::move(whole));
}

}  // namespace onnxport::passes
