#include "codegen/load/calls.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "fmt/format.h"

namespace onnxport::codegen {
namespace {

using Visitor = std::function<void(ExprPtr&)>;

void ForEach(std::vector<Let>& lets, const Visitor& visit) {
  for (Let& let : lets) visit(let.value);
}

void ForEach(Def& def, const Visitor& visit) {
  ForEach(def.lets, visit);
  visit(def.value);
}

void ForEach(Repetition& repetition, const Visitor& visit) {
  visit(repetition.in);
  visit(repetition.go_on);
  for (auto* lets : {&repetition.init, &repetition.lets, &repetition.next, &repetition.collect}) ForEach(*lets, visit);
}

// Every expression of an entry; some may be null.
void ForEach(OpEntry& entry, const Visitor& visit) {
  for (auto& [name, refine] : entry.args) visit(refine.value);
  visit(entry.require);
  ForEach(entry.lets, visit);
  for (Def& def : entry.defs) ForEach(def, visit);
  if (entry.repetition) ForEach(*entry.repetition, visit);
  for (Case& item : entry.cases) {
    visit(item.when);
    ForEach(item.lets, visit);
    for (ExprPtr& value : item.body.emit) visit(value);
  }
}

void AddCalls(const ExprPtr& expr, std::set<std::string>* names) {
  if (!expr) return;
  if (expr->kind == ExprKind::kCall) names->insert(expr->text);
  for (const ExprPtr& operand : expr->operands) AddCalls(operand, names);
  for (const auto& [name, value] : expr->named) AddCalls(value, names);
}

const Def* FindDef(const std::vector<Def>& defs, std::string_view name) {
  const auto def = std::ranges::find(defs, name, &Def::name);
  return def == defs.end() ? nullptr : &*def;
}

class CallRewriter {
 public:
  CallRewriter(const std::vector<Def>* inner, const std::vector<Def>& outer, Diagnostics* diagnostics)
      : inner_(inner), outer_(outer), diagnostics_(diagnostics) {}

  // Leaves expressions in which nothing changes as they are.
  void operator()(ExprPtr& expr) const {
    if (!expr) return;
    auto copy = std::make_shared<Expr>(*expr);
    for (ExprPtr& operand : copy->operands) (*this)(operand);
    for (auto& [name, value] : copy->named) (*this)(value);
    const bool changed = copy->operands != expr->operands || copy->named != expr->named;
    if (const Def* def = Named(*copy)) {
      Place(*def, copy.get());
      expr = std::move(copy);
    } else if (changed) {
      expr = std::move(copy);
    }
  }

 private:
  // The definition that is called with names.
  const Def* Named(const Expr& expr) const {
    if (expr.kind != ExprKind::kCall || expr.named.empty()) return nullptr;
    const Def* def = inner_ ? FindDef(*inner_, expr.text) : nullptr;
    return def ? def : FindDef(outer_, expr.text);
  }

  void Place(const Def& def, Expr* call) const {
    const std::vector<std::string_view> params(def.params.begin(), def.params.end());
    std::vector<ExprPtr> operands = call->operands;
    operands.resize(std::max(operands.size(), params.size()));
    for (const auto& [name, value] : call->named) {
      const auto at = std::ranges::find(params, name) - params.begin();
      if (at == std::ssize(params))
        diagnostics_->Error(value->place,
                            fmt::format("`{}` has no parameter `{}`{}", def.name, name, DidYouMean(name, params)));
      else if (operands[at])
        diagnostics_->Error(value->place, fmt::format("`{}` of `{}` is given twice", name, def.name));
      else
        operands[at] = value;
    }
    for (size_t i = 0; i < operands.size(); ++i) {
      if (operands[i]) continue;
      diagnostics_->Error(call->place, fmt::format("`{}` needs `{}`", def.name, params[i]));
      operands[i] = std::make_shared<Expr>();
    }
    call->operands = std::move(operands);
    call->named.clear();
  }

  const std::vector<Def>* inner_;
  const std::vector<Def>& outer_;
  Diagnostics* diagnostics_;
};

}  // namespace

std::vector<std::string> CalledDefs(const SpecFile& spec) {
  std::set<std::string> names;
  SpecFile copy = spec;
  const Visitor add = [&](ExprPtr& expr) { AddCalls(expr, &names); };
  for (Def& def : copy.defs) ForEach(def, add);
  for (OpEntry& entry : copy.ops) ForEach(entry, add);
  return {names.begin(), names.end()};
}

void AddPrelude(const std::vector<Def>& prelude, SpecFile* spec, Diagnostics* diagnostics) {
  for (const Def& def : spec->defs)
    if (FindDef(prelude, def.name))
      diagnostics->Error(def.place, fmt::format("`{}` is a definition of the prelude; call that one", def.name));
  std::set<std::string> called;
  for (const std::string& name : CalledDefs(*spec)) called.insert(name);
  // Definitions are called after their own in no order, so look until there is nothing new.
  for (size_t before = 0; before != called.size();) {
    before = called.size();
    for (Def def : prelude)
      if (called.contains(def.name)) ForEach(def, [&](ExprPtr& expr) { AddCalls(expr, &called); });
  }
  std::vector<Def> defs;
  for (const Def& def : prelude)
    if (called.contains(def.name)) defs.push_back(def);
  std::ranges::move(spec->defs, std::back_inserter(defs));
  spec->defs = std::move(defs);
}

void PlaceNamedArguments(SpecFile* spec, Diagnostics* diagnostics) {
  const std::vector<Def> defs = spec->defs;
  for (Def& def : spec->defs) ForEach(def, CallRewriter(nullptr, defs, diagnostics));
  for (OpEntry& entry : spec->ops) {
    const std::vector<Def> own = entry.defs;
    ForEach(entry, CallRewriter(&own, defs, diagnostics));
  }
}

}  // namespace onnxport::codegen
