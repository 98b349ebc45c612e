#include "tests/language/scope.h"

#include <algorithm>
#include <stdexcept>

namespace onnxport::language {

using codegen::Def;
using codegen::Expr;
using codegen::ExprKind;
using codegen::Let;
using lowering::Val;
using lowering::Vals;

namespace {

const Def* FindDef(const std::vector<Def>& defs, const std::string& name) {
  const auto def = std::ranges::find(defs, name, &Def::name);
  return def == defs.end() ? nullptr : &*def;
}

}  // namespace

void Scope::Bind(const std::vector<Let>& lets) {
  for (const Let& let : lets) {
    if (let.value->kind == ExprKind::kDict) dicts_[let.names[0]] = let.value.get();
    if (let.names.size() > 1)
      wholes_.emplace(&let, context_.lazy(Compute([this, &let] { return Evaluate(*let.value); })));
    for (size_t i = 0; i < let.names.size(); ++i)
      BindLazily(let.names[i], [this, &let, i] { return let.names.size() == 1 ? Evaluate(*let.value) : Part(let, i); });
  }
}

void Scope::BindElement(const std::vector<std::string>& names, const Val& element) {
  for (size_t i = 0; i < names.size(); ++i)
    Bind(names[i], names.size() == 1 ? element : element[Val(static_cast<int64_t>(i))]);
}

void Scope::BindRepetition(const codegen::Block& block) {
  if (!block.repetition) return;
  for (auto& [name, value] : RunRepetition(*block.repetition, *run_, this)) Bind(name, value);
}

Val Scope::Name(const std::string& name) {
  const auto found = names_.find(name);
  if (found != names_.end()) return found->second.known ? *found->second.known : (*found->second.made)();
  if (!outer_) throw std::logic_error("no name " + name);
  return outer_->Name(name);
}

// One of the outputs of a node, which is made once.
Val Scope::Part(const Let& let, size_t i) {
  const Vals& parts = wholes_.at(&let)().AsList();
  if (parts.size() != let.names.size()) throw Refusal("another number of elements");
  return parts[i];
}

// `nan` is the argument where the operator has one of that name; not in definitions of the file.
Val Scope::Constant(const Expr& expr) {
  const bool negative = expr.text.starts_with('-');
  const std::string word = expr.text.substr(negative ? 1 : 0);
  if (word.empty() || run_->schema->FindArgument(word) < 0 || !SeesArguments()) return Interpreter::Constant(expr);
  return negative ? -Name(word) : Name(word);
}

bool Scope::SeesArguments() const {
  const Scope* scope = this;
  while (scope->outer_) scope = scope->outer_;
  return scope == run_->of_entry;
}

Val Scope::Other(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kOpset:
      return context_.opset();
    case ExprKind::kNode:
      return Node(expr);
    case ExprKind::kCall:
      return Call(expr);
    case ExprKind::kComprehension:
      return Comprehension(expr);
    default:
      return Interpreter::Other(expr);
  }
}

Val Scope::Node(const Expr& expr) {
  lowering::Inputs inputs;
  std::vector<std::pair<std::string, const Expr*>> given;
  for (const auto& operand : expr.operands) {
    if (operand->kind == ExprKind::kDoubleStar)
      for (const auto& [name, value] : Dict(operand->operands[0]->text)->named) given.emplace_back(name, value.get());
    else if (operand->kind == ExprKind::kStar)
      inputs.push_back(lowering::Splat(Evaluate(*operand->operands[0])));
    else
      inputs.emplace_back(Evaluate(*operand));
  }
  for (const auto& [name, value] : expr.named) given.emplace_back(name, value.get());
  lowering::NamedArgs named;
  std::optional<Val> outputs;
  for (const auto& [name, value] : given) {
    if (name == "outputs")
      outputs = Evaluate(*value);
    else
      named.push_back({name.c_str(), Evaluate(*value)});
  }
  return outputs ? context_.ops(expr.text, inputs, named, *outputs) : context_.op(expr.text, inputs, named);
}

const Expr* Scope::Dict(const std::string& name) const {
  const auto found = dicts_.find(name);
  return found != dicts_.end() ? found->second : outer_->Dict(name);
}

// A definition of the entry sees the entry's names, one of the file its parameters only.
Val Scope::Call(const Expr& expr) {
  const Def& def = *Definition(expr.text);
  if (context_.opset() < def.since.value_or(0)) throw Refusal("too old for " + def.name);
  const bool local = FindDef(run_->entry->defs, def.name) != nullptr;
  Scope inner(run_, local ? run_->of_entry : nullptr);
  for (size_t i = 0; i < def.params.size(); ++i) {
    if (def.given.contains(def.params[i]))
      inner.given_[def.params[i]] = Definition(expr.operands[i]->text);
    else
      inner.Bind(def.params[i], Evaluate(*expr.operands[i]));
  }
  inner.Bind(def.lets);
  inner.BindRepetition(def);
  return inner.Evaluate(*def.cases[0].body.emit[0]);
}

// The definition that a name stands for here: one that this definition was given, or one of the entry or the file.
const Def* Scope::Definition(const std::string& name) const {
  for (const Scope* scope = this; scope; scope = scope->outer_)
    if (const auto found = scope->given_.find(name); found != scope->given_.end()) return found->second;
  const Def* local = FindDef(run_->entry->defs, name);
  return local ? local : FindDef(run_->spec->defs, name);
}

Val Scope::Comprehension(const Expr& expr) {
  Vals items;
  const Val list = Evaluate(*expr.operands[1]);
  for (const Val& element : list.AsList()) {
    Scope inner(run_, this);
    inner.BindElement(expr.names, element);
    if (expr.operands.size() > 2 && !inner.Evaluate(*expr.operands[2])) continue;
    items.push_back(inner.Evaluate(*expr.operands[0]));
  }
  return items;
}

}  // namespace onnxport::language
