#include "codegen/specialize/blocks.h"

#include <memory>
#include <utility>

#include "codegen/specialize/literals.h"
#include "codegen/specialize/specialize.h"

namespace onnxport::codegen {
namespace {

// A definition at an opset that is older than its `since`: it refuses whoever calls it. Nobody asks for its lets then,
// but they still divide the opsets into epochs, so that tests run at those where something in them changes.
Def Refused(Def def) {
  auto refusal = std::make_shared<Expr>();
  refusal->kind = ExprKind::kBuiltin;
  refusal->builtin = Builtin::kRefuse;
  refusal->place = def.place;
  refusal->operands = {StringLiteral(RefusalBefore(def), def.place)};
  def.since.reset();
  def.repetition.reset();
  def.cases.resize(1);
  def.cases[0].body.emit = {std::move(refusal)};
  return def;
}

ExprPtr Operation(ExprKind kind, Operator op, ExprPtr a, ExprPtr b) {
  auto expr = std::make_shared<Expr>();
  expr->kind = kind;
  expr->place = b->place;
  expr->op = op;
  expr->operands = {std::move(a), std::move(b)};
  return expr;
}

// `when` with the case's range of opsets, if it has one.
ExprPtr WhenInRange(const Case& item, ExprPtr when) {
  const auto opset = std::make_shared<Expr>();
  opset->kind = ExprKind::kOpset;
  opset->place = item.place;
  const auto add = [&](Operator op, const std::optional<int>& bound) {
    if (!bound) return;
    ExprPtr in_range = Operation(ExprKind::kComparison, op, opset, IntLiteral(*bound, item.place));
    when = when ? Operation(ExprKind::kLogic, Operator::kAnd, std::move(in_range), when) : std::move(in_range);
  };
  add(Operator::kLessEqual, item.until);
  add(Operator::kGreaterEqual, item.since);
  return when;
}

Case SpecializeCase(const Case& from, Specializer specializer, ExprPtr when) {
  Case to = from;
  to.when = std::move(when);
  to.lets = specializer.Lets(from.lets);
  for (ExprPtr& value : to.body.emit) value = specializer.Value(value);
  return to;
}

}  // namespace

bool InRange(const std::optional<int>& since, const std::optional<int>& until, int opset) {
  return opset == kAnyOpset || ((!since || opset >= *since) && (!until || opset <= *until));
}

Def SpecializeDef(Def def, const Specializer& specializer) {
  const int opset = specializer.opset();
  Specializer inner = specializer;
  // A parameter is never a known name of outside. The name check would refuse that, but it comes later.
  for (const std::string& param : def.params) inner.Forget(param);
  def.lets = inner.Lets(def.lets);
  if (!InRange(def.since, {}, opset)) return Refused(std::move(def));
  // At kAnyOpset it stays: the function that is written asks for the opset.
  if (opset != kAnyOpset) def.since.reset();
  if (def.repetition) def.repetition = SpecializeRepetition(*def.repetition, inner);
  std::vector<int> numbers;
  def.cases = SpecializeCases(def.cases, inner, &numbers);
  return def;
}

Repetition SpecializeRepetition(Repetition repetition, const Specializer& specializer) {
  Specializer inner = specializer;
  // With the outer names: list, condition and first values are computed before or outside of the iteration's lets.
  if (repetition.in) repetition.in = specializer.Value(repetition.in);
  if (repetition.go_on) repetition.go_on = specializer.Value(repetition.go_on);
  repetition.init = specializer.Values(std::move(repetition.init));
  repetition.lets = inner.Lets(repetition.lets);
  repetition.next = inner.Values(std::move(repetition.next));
  repetition.collect = inner.Values(std::move(repetition.collect));
  return repetition;
}

std::vector<Case> SpecializeCases(const std::vector<Case>& cases, const Specializer& specializer,
                                  std::vector<int>* numbers) {
  const int opset = specializer.opset();
  std::vector<Case> kept;
  int number = 0;
  // Numbers count all cases, left out or not: coverage and comments speak of the entry as it was written.
  for (const Case& item : cases) {
    ++number;
    if (!InRange(item.since, item.until, opset)) continue;
    ExprPtr when = specializer.Condition(item.when);
    if (when && IsLiteral(*when, false)) continue;
    if (when && IsLiteral(*when)) when = nullptr;
    if (opset == kAnyOpset) when = WhenInRange(item, std::move(when));
    numbers->push_back(number);
    kept.push_back(SpecializeCase(item, specializer, when));
    // A case without a condition is always taken; those behind it can never be.
    if (!when) break;
  }
  return kept;
}

}  // namespace onnxport::codegen
