#include "runtime/sources/torchscript/syntax/analysis.h"

#include <algorithm>
#include <iterator>

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

bool ReadsAfter(std::span<const Stmt> body, Offset at, const std::string& name) {
  const auto next = std::ranges::find_if(body, [&](const Stmt& stmt) { return stmt.offset > at; });
  if (Reads({next, body.end()}, name)) return true;
  if (next == body.begin()) return false;
  const Stmt& around = *std::prev(next);
  if (around.offset == at) return false;
  if (around.kind == StmtKind::kFor || around.kind == StmtKind::kWhile) return Reads({&around, 1}, name);
  const bool in_else = !around.orelse.empty() && around.orelse.front().offset <= at;
  return ReadsAfter(in_else ? around.orelse : around.body, at, name);
}

}  // namespace onnxport::torchscript
