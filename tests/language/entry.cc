#include "tests/language/entry.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "codegen/model/uses.h"
#include "runtime/aten/aten_schema.h"
#include "tests/language/interpreter.h"

namespace onnxport::language {
namespace {

using codegen::Case;
using codegen::Def;
using codegen::Expr;
using codegen::ExprKind;
using codegen::Let;
using codegen::OpEntry;
using codegen::Repetition;
using lowering::Context;
using lowering::Val;
using lowering::Vals;

class Scope;

// What is the same everywhere in a call.
struct Run {
  Context* context;
  const codegen::SpecFile* spec;
  const OpEntry* entry;
  Scope* of_entry;
};

class Scope final : public Interpreter {
 public:
  Scope(const Run* run, Scope* outer) : Interpreter(run->context), run_(run), outer_(outer) {}

  void Bind(const std::string& name, Val value) { names_[name].known = std::move(value); }
  void BindLazily(const std::string& name, std::function<Val()> make) { names_[name].make = std::move(make); }

  void Bind(const std::vector<Let>& lets) {
    for (const Let& let : lets) {
      if (let.value->kind == ExprKind::kDict) dicts_[let.names[0]] = let.value.get();
      for (size_t i = 0; i < let.names.size(); ++i)
        BindLazily(let.names[i],
                   [this, &let, i] { return let.names.size() == 1 ? Evaluate(*let.value) : Part(let, i); });
    }
  }

  void BindElement(const std::vector<std::string>& names, const Val& element) {
    for (size_t i = 0; i < names.size(); ++i)
      Bind(names[i], names.size() == 1 ? element : element[Val(static_cast<int64_t>(i))]);
  }

  Val Name(const std::string& name) override {
    const auto found = names_.find(name);
    if (found == names_.end()) {
      if (!outer_) throw std::logic_error("no name " + name);
      return outer_->Name(name);
    }
    if (!found->second.known) found->second.known = found->second.make();
    return *found->second.known;
  }

 private:
  struct Named {
    std::optional<Val> known;
    std::function<Val()> make;
  };

  // One of the outputs of a node, which is made once.
  Val Part(const Let& let, size_t i) {
    auto [whole, is_new] = wholes_.emplace(&let, Val());
    if (is_new) whole->second = Evaluate(*let.value);
    if (whole->second.AsList().size() != let.names.size()) throw Refusal("another number of elements");
    return whole->second.AsList()[i];
  }

  Val Other(const Expr& expr) override {
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

  Val Node(const Expr& expr) {
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

  const Expr* Dict(const std::string& name) const {
    const auto found = dicts_.find(name);
    return found != dicts_.end() ? found->second : outer_->Dict(name);
  }

  // A definition of the entry sees the entry's names, one of the file its parameters only.
  Val Call(const Expr& expr) {
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
    inner.BindFold(def);
    return inner.Evaluate(*def.cases[0].body.emit[0]);
  }

  static const Def* FindDef(const std::vector<Def>& defs, const std::string& name) {
    const auto def = std::ranges::find(defs, name, &Def::name);
    return def == defs.end() ? nullptr : &*def;
  }

  // What a name stands for here: what this definition was given, or one of the entry or the file.
  const Def* Definition(const std::string& name) const {
    for (const Scope* scope = this; scope; scope = scope->outer_)
      if (const auto found = scope->given_.find(name); found != scope->given_.end()) return found->second;
    const Def* local = FindDef(run_->entry->defs, name);
    return local ? local : FindDef(run_->spec->defs, name);
  }

  void BindFold(const codegen::Block& block);

  Val Comprehension(const Expr& expr) {
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

  const Run* run_;
  Scope* outer_;
  std::map<std::string, Named> names_;
  std::map<std::string, const Expr*> dicts_;
  std::map<const Let*, Val> wholes_;
  std::map<std::string, const Def*> given_;  // to the definition whose scope this is
};

// Carried values and lists, by name.
Names RunFold(const Repetition& fold, const Run& run, Scope* scope) {
  Names values;
  std::map<std::string, Vals> lists;
  for (const Let& let : fold.init) values[let.names[0]] = scope->Evaluate(*let.value);
  for (const Let& let : fold.collect) lists[let.names[0]] = {};
  const Val in = scope->Evaluate(*fold.in);
  for (const Val& element : in.AsList()) {
    Scope round(&run, scope);
    for (const auto& [name, value] : values) round.Bind(name, value);
    round.BindElement(fold.each, element);
    round.Bind(fold.lets);
    for (const Let& let : fold.collect) lists[let.names[0]].push_back(round.Evaluate(*let.value));
    Names next = values;
    for (const Let& let : fold.next) next[let.names[0]] = round.Evaluate(*let.value);
    values = std::move(next);
  }
  for (auto& [name, list] : lists) values[name] = Val(std::move(list));
  return values;
}

void Scope::BindFold(const codegen::Block& block) {
  if (!block.repetition) return;
  for (auto& [name, value] : RunFold(*block.repetition, *run_, this)) Bind(name, value);
}

bool InRange(const Case& item, int opset) {
  return opset >= item.since.value_or(opset) && opset <= item.until.value_or(opset);
}

bool Mentions(const std::vector<codegen::ExprPtr>& expressions, const std::optional<Repetition>& fold) {
  if (!fold) return false;
  std::set<std::string> used;
  for (const auto& expr : expressions)
    if (expr)
      for (const auto& [name, sure] : codegen::UsesOf(*expr, {})) used.insert(name);
  const auto uses = [&](const Let& let) { return used.contains(let.names[0]); };
  return std::ranges::any_of(fold->init, uses) || std::ranges::any_of(fold->collect, uses);
}

void BindFold(const Run& run, Scope* entry, Scope* scope) {
  for (auto& [name, value] : RunFold(*run.entry->repetition, run, entry)) scope->Bind(name, value);
}

// A case that speaks of a fold's results has the whole fold computed, whichever of them it comes to need.
Vals RunCase(const Case& item, const Run& run, Scope* entry) {
  Scope scope(&run, entry);
  std::vector<codegen::ExprPtr> expressions = item.body.emit;
  for (const Let& let : item.lets) expressions.push_back(let.value);
  if (Mentions(expressions, run.entry->repetition)) BindFold(run, entry, &scope);
  scope.Bind(item.lets);
  if (item.body.kind == codegen::Body::Kind::kRefuse) throw Refusal(item.body.text);
  Vals results;
  for (const auto& value : item.body.emit) results.push_back(scope.Evaluate(*value));
  return results;
}

void BindArguments(const OpEntry& entry, Context* context, Scope* scope) {
  const ir::AtenSchema& schema = *ir::FindAtenSchema(entry.names[0]);
  for (size_t i = 0; i < schema.arguments.size(); ++i) scope->Bind(schema.arguments[i].name, context->arg(i));
  for (const auto& [name, refine] : entry.args) {
    const Val given = scope->Name(name);
    if (refine.kind == codegen::RefineKind::kAxis)
      scope->Bind(name, context->axis(name.c_str(), given, scope->Name(refine.tensor)));
  }
}

}  // namespace

Vals RunEntry(const codegen::SpecFile& spec, Context* context) {
  const OpEntry& entry = spec.ops[0];
  Run run{.context = context, .spec = &spec, .entry = &entry, .of_entry = nullptr};
  Scope scope(&run, nullptr);
  run.of_entry = &scope;
  BindArguments(entry, context, &scope);
  scope.Bind(entry.lets);
  if (entry.require && !scope.Evaluate(*entry.require)) throw Refusal("required");
  std::vector<codegen::ExprPtr> conditions;
  for (const Case& item : entry.cases) conditions.push_back(item.when);
  if (Mentions(conditions, entry.repetition)) BindFold(run, &scope, &scope);
  for (const Case& item : entry.cases)
    if (InRange(item, context->opset()) && (!item.when || scope.Evaluate(*item.when)))
      return RunCase(item, run, &scope);
  throw Refusal("no case");
}

}  // namespace onnxport::language
