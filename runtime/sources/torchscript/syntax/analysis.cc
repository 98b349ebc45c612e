#include "runtime/sources/torchscript/syntax/analysis.h"

#include <algorithm>
#include <cstdint>
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

// The next use of the value of a variable.
enum class Fate : uint8_t {
  kRead,     // perhaps, on some path through the code
  kDropped,  // for certain: the variable is set again, or no code follows
  kNone,
};

Fate FateIn(std::span<const Stmt> body, const std::string& name);

// The fate in both sides of an `if`, after its condition.
Fate FateInSides(const Stmt& stmt, const std::string& name) {
  const Fate then = FateIn(stmt.body, name);
  const Fate otherwise = FateIn(stmt.orelse, name);
  if (then == Fate::kRead || otherwise == Fate::kRead) return Fate::kRead;
  return then == otherwise ? then : Fate::kNone;
}

bool Sets(const Stmt& stmt, const std::string& name) {
  return std::ranges::any_of(stmt.targets,
                             [&](const Expr& target) { return target.kind == ExprKind::kName && target.text == name; });
}

// A loop, after the number of its iterations is evaluated. It may have no iteration.
Fate FateInLoop(const Stmt& stmt, const std::string& name) {
  if (stmt.kind == StmtKind::kWhile && ReadsIn(stmt.value, name)) return Fate::kRead;
  const bool read = !Sets(stmt, name) && FateIn(stmt.body, name) == Fate::kRead;
  return read ? Fate::kRead : Fate::kNone;
}

Fate FateIn(const Stmt& stmt, const std::string& name) {
  if (ReadsIn(stmt.value, name)) return Fate::kRead;
  switch (stmt.kind) {
    case StmtKind::kIf:
      return FateInSides(stmt, name);
    case StmtKind::kFor:
    case StmtKind::kWhile:
      return FateInLoop(stmt, name);
    case StmtKind::kReturn:
      return Fate::kDropped;
    case StmtKind::kDef:
      return Reads(stmt.body, name) ? Fate::kRead : Fate::kNone;
    default:
      break;
  }
  const bool sets_attribute = std::ranges::any_of(
      stmt.targets, [&](const Expr& target) { return target.kind != ExprKind::kName && ReadsIn(target, name); });
  if (sets_attribute) return Fate::kRead;
  return Sets(stmt, name) ? Fate::kDropped : FateIn(stmt.body, name);
}

Fate FateIn(std::span<const Stmt> body, const std::string& name) {
  for (const Stmt& stmt : body) {
    const Fate fate = FateIn(stmt, name);
    if (fate != Fate::kNone) return fate;
  }
  return Fate::kNone;
}

Fate FateAfter(std::span<const Stmt> body, Offset at, const std::string& name);

// The fate after the expression or statement at `at`, inside `stmt`, has ended.
Fate FateAfter(const Stmt& stmt, Offset at, const std::string& name) {
  const bool in_block = !stmt.body.empty() && stmt.body.front().offset <= at;
  const bool in_else = !stmt.orelse.empty() && stmt.orelse.front().offset <= at;
  if (stmt.kind == StmtKind::kIf && !in_block && !in_else) return FateInSides(stmt, name);
  const Fate fate = in_else ? FateAfter(stmt.orelse, at, name) : FateAfter(stmt.body, at, name);
  if (fate != Fate::kNone) return fate;
  const bool loops = stmt.kind == StmtKind::kFor || stmt.kind == StmtKind::kWhile;
  return loops ? FateInLoop(stmt, name) : Fate::kNone;
}

Fate FateAfter(std::span<const Stmt> body, Offset at, const std::string& name) {
  const auto next = std::ranges::find_if(body, [&](const Stmt& stmt) { return stmt.offset > at; });
  if (next != body.begin() && std::prev(next)->offset != at) {
    const Fate fate = FateAfter(*std::prev(next), at, name);
    if (fate != Fate::kNone) return fate;
  }
  return FateIn({next, body.end()}, name);
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
    // Without an `else` that side is empty and raises nothing. A loop may have no iteration, so it is not searched.
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
    const auto reads_in = [&](const Expr& target) { return target.kind != ExprKind::kName && ReadsIn(target, name); };
    return ReadsIn(stmt.value, name) || std::ranges::any_of(stmt.targets, reads_in) || Reads(stmt.body, name) ||
           Reads(stmt.orelse, name);
  });
}

bool ReadsFirst(std::span<const Stmt> body, const std::string& name) { return FateIn(body, name) == Fate::kRead; }

bool ReadsAfter(std::span<const Stmt> body, Offset at, const std::string& name) {
  return FateAfter(body, at, name) == Fate::kRead;
}

}  // namespace onnxport::torchscript
