#include "codegen/model/rewrite.h"

#include <utility>
#include <vector>

namespace onnxport::codegen {
namespace {

void ForEachValue(std::vector<Let>& lets, const ExprVisitor& visit) {
  for (Let& let : lets) visit(let.value);
}

void ForEachWhole(Repetition& repetition, const ExprVisitor& visit) {
  visit(repetition.in);
  visit(repetition.go_on);
  for (auto* lets : {&repetition.init, &repetition.lets, &repetition.next, &repetition.collect})
    ForEachValue(*lets, visit);
}

// All of a block but its lets.
void ForEachResult(Block& block, const ExprVisitor& visit) {
  if (block.repetition) ForEachWhole(*block.repetition, visit);
  for (Case& item : block.cases) {
    visit(item.when);
    ForEachValue(item.lets, visit);
    for (ExprPtr& value : item.body.emit) visit(value);
  }
}

}  // namespace

void ForEachWhole(Def& def, const ExprVisitor& visit) {
  ForEachValue(def.lets, visit);
  ForEachResult(def, visit);
}

void ForEachWhole(OpEntry& entry, const ExprVisitor& visit) {
  for (auto& [name, refine] : entry.args)
    if (refine.kind == RefineKind::kRepeatTo) visit(refine.value);
  visit(entry.require);
  ForEachValue(entry.lets, visit);
  for (Def& def : entry.defs) ForEachWhole(def, visit);
  ForEachResult(entry, visit);
}

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
