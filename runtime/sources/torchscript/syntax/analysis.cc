#include "runtime/sources/torchscript/syntax/analysis.h"

#include <algorithm>

namespace onnxport::torchscript {
namespace {

void AddAssignedNames(const StmtList& body, std::set<std::string>* names) {
  for (const Stmt& stmt : body) {
    for (const Expr& target : stmt.targets) {
      if (target.kind == ExprKind::kName) names->insert(target.text);
    }
    AddAssignedNames(stmt.body, names);
    AddAssignedNames(stmt.orelse, names);
  }
}

bool ReadsIn(const Expr& expr, const std::string& name) {
  if (expr.kind == ExprKind::kName && expr.text == name) return true;
  return std::ranges::any_of(expr.operands, [&](const Expr& operand) { return ReadsIn(operand, name); }) ||
         std::ranges::any_of(expr.keywords, [&](const Keyword& keyword) { return ReadsIn(keyword.value, name); });
}

}  // namespace

bool IsRaise(const Expr& value) {
  if (value.kind != ExprKind::kCall || value.operands[0].kind != ExprKind::kAttribute) return false;
  const Expr& callee = value.operands[0];
  return callee.text == "RaiseException" && callee.operands[0].kind == ExprKind::kAttribute &&
         callee.operands[0].text == "prim" && callee.operands[0].operands[0].text == "ops";
}

bool AlwaysRaises(const StmtList& body) {
  return std::ranges::any_of(body, [](const Stmt& stmt) {
    // Without an `else` the side is empty, and raises nothing. A loop may run no iteration, so it is not looked into.
    if (stmt.kind == StmtKind::kIf) return AlwaysRaises(stmt.body) && AlwaysRaises(stmt.orelse);
    return (stmt.kind == StmtKind::kExpression || stmt.kind == StmtKind::kAssign) && IsRaise(stmt.value);
  });
}

std::set<std::string> AssignedNames(const StmtList& body) {
  std::set<std::string> names;
  AddAssignedNames(body, &names);
  return names;
}

bool Reads(std::span<const Stmt> body, const std::string& name) {
  return std::ranges::any_of(body, [&](const Stmt& stmt) {
    return ReadsIn(stmt.value, name) || Reads(stmt.body, name) || Reads(stmt.orelse, name);
  });
}

}  // namespace onnxport::torchscript
