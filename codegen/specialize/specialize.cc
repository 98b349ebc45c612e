#include "codegen/specialize/specialize.h"

#include <map>
#include <memory>
#include <utility>

#include "codegen/model/onnx_ops.h"
#include "codegen/specialize/argument_words.h"
#include "codegen/specialize/bind.h"
#include "codegen/specialize/literals.h"
#include "fmt/format.h"
#include "runtime/base/refusal.h"

namespace onnxport::codegen {
namespace {

bool InRange(const std::optional<int>& since, const std::optional<int>& until, int opset) {
  return opset == kAnyOpset || ((!since || opset >= *since) && (!until || opset <= *until));
}

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

// Names whose values are known while building: literals and dicts. Copied for each scope, as sibling scopes may use a
// name twice.
using Known = std::map<std::string, ExprPtr>;

// An operator, or its result if that is known. What has none (`1 // 0`) stays: the checker reports it where it can be
// reached. Floats stay, so that generated code has `0.5 * pi` as the spec does.
ExprPtr Computed(ExprPtr expr) {
  try {
    const ExprPtr known = ComputeLiterals(*expr);
    const bool readable = known && (known->kind != ExprKind::kFloat || expr->kind == ExprKind::kUnary);
    return readable ? known : expr;
  } catch (const Refusal&) {
    return expr;
  }
}

class Specializer {
 public:
  explicit Specializer(int opset) : opset_(opset) {}

  void Define(const std::string& name, ExprPtr value) { known_[name] = std::move(value); }
  // An argument that is never None. So `present(weight)` is True for an overload where `Tensor weight` cannot be None,
  // and the arm without it is gone.
  void DefinePresent(const std::string& name) { present_.insert(name); }
  ExprPtr Value(const ExprPtr& expr) const;
  // Where only the truth counts: `x and True` is x.
  ExprPtr Condition(const ExprPtr& expr) const;
  // Those whose value became known leave the list.
  std::vector<Let> Lets(const std::vector<Let>& lets);
  std::vector<Let> Values(std::vector<Let> lets) const;
  Def Definition(Def def) const;
  // Of all cases those that can be taken, with their numbers in `numbers`, as written, from 1.
  std::vector<Case> Cases(const std::vector<Case>& cases, std::vector<int>* numbers) const;
  Repetition Repeated(Repetition repetition) const;

 private:
  ExprPtr Call(const ExprPtr& expr) const;
  ExprPtr Conditional(const ExprPtr& expr) const;
  ExprPtr Logic(const ExprPtr& expr, bool condition) const;
  std::shared_ptr<Expr> Operands(const Expr& expr) const;

  int opset_;
  Known known_;
  std::set<std::string> present_;
};

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

Def Specializer::Definition(Def def) const {
  Specializer inner = *this;
  // A parameter is never a known name of outside. The name check would refuse that, but it comes later.
  for (const std::string& param : def.params) {
    inner.known_.erase(param);
    inner.present_.erase(param);
  }
  def.lets = inner.Lets(def.lets);
  if (!InRange(def.since, {}, opset_)) return Refused(std::move(def));
  // At kAnyOpset it stays: the function that is written asks for the opset.
  if (opset_ != kAnyOpset) def.since.reset();
  if (def.repetition) def.repetition = inner.Repeated(*def.repetition);
  std::vector<int> numbers;
  def.cases = inner.Cases(def.cases, &numbers);
  return def;
}

Repetition Specializer::Repeated(Repetition repetition) const {
  Specializer inner = *this;
  // With the outer names: list, condition and first values are computed before or outside of the iteration's lets.
  if (repetition.in) repetition.in = Value(repetition.in);
  if (repetition.go_on) repetition.go_on = Value(repetition.go_on);
  repetition.init = Values(std::move(repetition.init));
  repetition.lets = inner.Lets(repetition.lets);
  repetition.next = inner.Values(std::move(repetition.next));
  repetition.collect = inner.Values(std::move(repetition.collect));
  return repetition;
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

// The constants of the operator's name. An argument that the overload lacks but another of the entry's names has reads
// as absent; one that it has and that cannot be None is present. Names that no overload has are left alone: the name
// check reports them.
void DefineArguments(const OpEntry& entry, const ir::AtenSchema& schema, Specializer* specializer) {
  for (const ir::AtenArgument& argument : schema.arguments)
    if (!argument.type.optional) specializer->DefinePresent(argument.name);
  for (size_t i = 0; i < entry.constants.size(); ++i)
    if (entry.names[i] == schema.name)
      for (const auto& [name, value] : entry.constants[i]) specializer->Define(name, value);
  for (const std::string& name : entry.names) {
    const ir::AtenSchema* other = ir::FindAtenSchema(name);
    if (!other) continue;
    for (const ir::AtenArgument& argument : other->arguments)
      if (schema.FindArgument(argument.name) < 0) specializer->Define(argument.name, NoneLiteral({}));
  }
}

Case SpecializeCase(const Case& from, Specializer specializer, ExprPtr when) {
  Case to = from;
  to.when = std::move(when);
  to.lets = specializer.Lets(from.lets);
  for (ExprPtr& value : to.body.emit) value = specializer.Value(value);
  return to;
}

std::vector<Case> Specializer::Cases(const std::vector<Case>& cases, std::vector<int>* numbers) const {
  std::vector<Case> kept;
  int number = 0;
  // Numbers count all cases, left out or not: coverage and comments speak of the entry as it was written.
  for (const Case& item : cases) {
    ++number;
    if (!InRange(item.since, item.until, opset_)) continue;
    ExprPtr when = Condition(item.when);
    if (when && IsLiteral(*when, false)) continue;
    if (when && IsLiteral(*when)) when = nullptr;
    if (opset_ == kAnyOpset) when = WhenInRange(item, std::move(when));
    numbers->push_back(number);
    kept.push_back(SpecializeCase(item, *this, when));
    // A case without a condition is always taken; those behind it can never be.
    if (!when) break;
  }
  return kept;
}

std::vector<Def> Definitions(const std::vector<Def>& defs, int opset) {
  std::vector<Def> specialized;
  for (const Def& def : defs) specialized.push_back(Specializer(opset).Definition(def));
  return specialized;
}

SpecializedOverload SpecializeOverload(const OpEntry& entry, const ir::AtenSchema& schema) {
  SpecializedOverload overload{.schema = &schema, .at_any = SpecializeEntry(entry, schema, kAnyOpset), .at = {}};
  for (int opset = FirstOpset(); opset <= LastOpset(); ++opset) {
    SpecializedEntry at = SpecializeEntry(entry, schema, opset);
    if (!at.mapping.cases.empty()) overload.at.emplace(opset, std::move(at));
  }
  return overload;
}

// `bound`: the entry, with the copies of definitions that it needs.
SpecializedOp SpecializeOp(OpEntry entry, const OpEntry& bound) {
  SpecializedOp op{.entry = std::move(entry), .overloads = {}};
  for (const std::string& name : op.entry.names) {
    const ir::AtenSchema* schema = ir::FindAtenSchema(name);
    // In-place overloads are derived from their functional twins when a program is read
    // (runtime/trace/functionalize/twins.cc); an entry that claims one is reported (check/entry_check.cc).
    if (schema && !schema->mutates()) op.overloads.push_back(SpecializeOverload(bound, *schema));
  }
  return op;
}

}  // namespace

std::string RefusalBefore(const Def& def) {
  return def.what.empty() ? fmt::format("`{}` needs opset {}", def.name, *def.since)
                          : fmt::format("{} need opset {}", def.what, *def.since);
}

SpecializedEntry SpecializeEntry(const OpEntry& entry, const ir::AtenSchema& schema, int opset) {
  SpecializedEntry specialized{
      .mapping = entry, .case_numbers = {}, .several_cases = entry.cases.size() > 1, .schema = &schema, .opset = opset};
  Mapping& mapping = specialized.mapping;
  mapping.cases.clear();
  if (!InRange(entry.since, entry.until, opset)) return specialized;
  Specializer specializer(opset);
  DefineArguments(entry, schema, &specializer);
  for (auto& [name, refine] : mapping.args) refine.value = specializer.Value(refine.value);
  mapping.lets = specializer.Lets(entry.lets);
  mapping.require = specializer.Condition(entry.require);
  for (Def& def : mapping.defs) def = specializer.Definition(def);
  if (entry.repetition) mapping.repetition = specializer.Repeated(*entry.repetition);
  mapping.cases = specializer.Cases(entry.cases, &specialized.case_numbers);
  return specialized;
}

SpecializedSpec Specialize(SpecFile spec) {
  // Before definitions are bound, as words in those of the file are what they are, whatever the entry's arguments.
  for (OpEntry& entry : spec.ops) TakeArgumentWords(&entry);
  const SpecFile bound = BindDefinitions(spec);
  SpecializedSpec specialized{.path = std::move(spec.path),
                              .family = std::move(spec.family),
                              .imports = std::move(spec.imports),
                              .complete = spec.complete,
                              .defs = std::move(spec.defs),
                              .defs_at = {},
                              .ops = {}};
  for (size_t i = 0; i < spec.ops.size(); ++i)
    specialized.ops.push_back(SpecializeOp(std::move(spec.ops[i]), bound.ops[i]));
  specialized.defs_at[kAnyOpset] = Definitions(bound.defs, kAnyOpset);
  for (int opset = FirstOpset(); opset <= LastOpset(); ++opset)
    specialized.defs_at[opset] = Definitions(bound.defs, opset);
  return specialized;
}

}  // namespace onnxport::codegen
