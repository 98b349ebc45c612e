#include "codegen/specialize/bind.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "codegen/model/rewrite.h"
#include "codegen/model/uses.h"
#include "codegen/model/walk.h"
#include "runtime/aten/aten_schema.h"

namespace onnxport::codegen {
namespace {

using Given = std::map<std::string, std::string>;  // parameter -> the definition that it stands for
using NameSet = std::set<std::string>;

const Def* FindIn(const std::vector<Def>& defs, const std::string& name) {
  const auto def = std::ranges::find(defs, name, &Def::name);
  return def == defs.end() ? nullptr : &*def;
}

// The names that an entry's definitions may see.
NameSet NamesIn(const OpEntry& entry) {
  NameSet names;
  for (const std::string& name : entry.names)
    if (const ir::AtenSchema* schema = ir::FindAtenSchema(name))
      for (const ir::AtenArgument& argument : schema->arguments) names.insert(argument.name);
  for (const auto& constants : entry.constants)
    for (const auto& [name, value] : constants) names.insert(name);
  AddNamesGiven(entry, &names);
  return names;
}

// The names that a definition gives itself.
NameSet OwnNames(const Def& def) {
  NameSet names(def.params.begin(), def.params.end());
  AddNamesGiven(def, &names);
  for (const ExprPtr& whole : ExpressionsOf(def))
    ForEach(*whole, [&](const Expr& expr) { names.insert(expr.names.begin(), expr.names.end()); });
  return names;
}

void Rename(const Given& renamed, std::vector<std::string>* names) {
  for (std::string& name : *names)
    if (const auto found = renamed.find(name); found != renamed.end()) name = found->second;
}

// Other names in the places of some: of parameters, lets, targets, and of definitions that are called or given.
void Rename(const Given& renamed, Def* def) {
  Rename(renamed, &def->params);
  ForEachNames(*def, [&](std::vector<std::string>& names) { Rename(renamed, &names); });
  const auto change = [&](const Expr& term) -> ExprPtr {
    auto changed = std::make_shared<Expr>(term);
    Rename(renamed, &changed->names);
    const bool named = term.kind == ExprKind::kName || term.kind == ExprKind::kCall;
    if (const auto found = renamed.find(term.text); named && found != renamed.end()) changed->text = found->second;
    return changed->text == term.text && changed->names == term.names ? nullptr : changed;
  };
  ForEachWhole(*def, [&](ExprPtr& expr) { Rewrite(expr, change); });
}

// The copies that are made of the definitions of a file for what is given to them.
class Binder {
 public:
  // Binds the definitions of the file, or those of an entry if `outer` is the file's binder.
  Binder(const std::vector<Def>& defs, Binder* outer, NameSet taken)
      : defs_(defs), outer_(outer), taken_(std::move(taken)) {}

  void Bind(ExprPtr& expr) {
    Rewrite(expr, [this](const Expr& term) { return Bound(term); });
  }

  // The definitions, but for those that are given some, and the copies.
  std::vector<Def> Take() {
    std::vector<Def> all;
    for (const Def& def : defs_) {
      if (!def.given.empty()) continue;
      all.push_back(def);
      ForEachWhole(all.back(), [this](ExprPtr& expr) { Bind(expr); });
    }
    std::ranges::move(copies_, std::back_inserter(all));
    return all;
  }

 private:
  const Def* Find(const std::string& name) const {
    const Def* own = FindIn(defs_, name);
    return own || !outer_ ? own : outer_->Find(name);
  }

  ExprPtr Bound(const Expr& call) {
    const Def* def = call.kind == ExprKind::kCall ? Find(call.text) : nullptr;
    if (!def || def->given.empty() || call.operands.size() != def->params.size()) return nullptr;
    auto bound = std::make_shared<Expr>(call);
    bound->operands.clear();
    Given given;
    for (size_t i = 0; i < def->params.size(); ++i) {
      const ExprPtr& operand = call.operands[i];
      if (!def->given.contains(def->params[i]))
        bound->operands.push_back(operand);
      else if (operand->kind == ExprKind::kName && Find(operand->text))
        given[def->params[i]] = operand->text;
      else
        return nullptr;
    }
    bound->text = CopyOf(*def, given);
    return bound;
  }

  bool IsOwn(const Def& def, const Given& given) const {
    return FindIn(defs_, def.name) ||
           std::ranges::any_of(given, [&](const auto& pair) { return FindIn(defs_, pair.second) != nullptr; });
  }

  // The name of the copy.
  std::string CopyOf(const Def& def, const Given& given) {
    if (outer_ && !IsOwn(def, given)) return outer_->CopyOf(def, given);
    const auto [known, is_new] = known_.try_emplace({def.name, given});
    if (!is_new) return known->second;
    // The first that is given tells most copies apart; all of them would make long names.
    const auto first = std::ranges::find_if(def.params, [&](const auto& param) { return given.contains(param); });
    std::string name = def.name + "_with_" + given.at(*first);
    while (Find(name) || !names_.insert(name).second) name += "_2";
    // Known from here on: a definition that leads back to itself, which the name check reports, must come to an end.
    known->second = name;
    Def copy = def;
    copy.name = name;
    copy.given.clear();
    std::erase_if(copy.params, [&](const std::string& param) { return given.contains(param); });
    Rename(WithoutClashes(def, given), &copy);
    ForEachWhole(copy, [this](ExprPtr& expr) { Bind(expr); });
    copies_.push_back(std::move(copy));
    return name;
  }

  // `given`, and other names for those that mean something in the entry: no name hides another one.
  Given WithoutClashes(const Def& def, Given given) const {
    const NameSet own = OwnNames(def);
    for (const std::string& name : own) {
      if (given.contains(name) || !taken_.contains(name)) continue;
      std::string other = name + "_2";
      while (taken_.contains(other) || own.contains(other)) other += "_2";
      given[name] = other;
    }
    return given;
  }

  const std::vector<Def>& defs_;
  Binder* outer_;
  NameSet taken_;                                               // names that mean something else where the copies stand
  std::map<std::pair<std::string, Given>, std::string> known_;  // the names of copies
  NameSet names_;                                               // those names
  std::vector<Def> copies_;
};

}  // namespace

SpecFile BindDefinitions(SpecFile spec) {
  const std::vector<Def> defs = std::move(spec.defs);
  Binder of_file(defs, nullptr, {});
  for (OpEntry& entry : spec.ops) {
    const std::vector<Def> own = std::move(entry.defs);
    entry.defs.clear();
    Binder of_entry(own, &of_file, NamesIn(entry));
    ForEachWhole(entry, [&](ExprPtr& expr) { of_entry.Bind(expr); });
    entry.defs = of_entry.Take();
  }
  spec.defs = of_file.Take();
  return spec;
}

}  // namespace onnxport::codegen
