#include "codegen/model/rewrite.h"

#include <utility>

namespace onnxport::codegen {

void Rewrite(ExprPtr& expr, const std::function<ExprPtr(const Expr&)>& change) {
  if (!expr) return;
  // A copy first, then compared: `change` sees the term with its inner terms changed already, and an object that is
  // shared is never written to.
  auto copy = std::make_shared<Expr>(*expr);
  for (ExprPtr& operand : copy->operands) Rewrite(operand, change);
  for (auto& [name, value] : copy->named) Rewrite(value, change);
  if (ExprPtr changed = change(*copy))
    expr = std::move(changed);
  else if (copy->operands != expr->operands || copy->named != expr->named)
    expr = std::move(copy);
}

}  // namespace onnxport::codegen
