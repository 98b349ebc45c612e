#include "codegen/load/results.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/model/rewrite.h"
#include "codegen/model/spec_text.h"
#include "fmt/format.h"

namespace onnxport::codegen {
namespace {

// Lets whose value is a call, and the definition that it calls; null when it is unknown. Copied for each scope: cases
// beside each other may use a name twice.
using Calls = std::map<std::string, const Def*>;

class Resolver {
 public:
  // `defs`: what can be called, in the order in which a name is looked up.
  Resolver(std::vector<const std::vector<Def>*> defs, Diagnostics* diagnostics)
      : defs_(std::move(defs)), diagnostics_(diagnostics) {}

  void Entry(OpEntry* entry) {
    Calls calls;
    Lets(&entry->lets, &calls);
    for (Def& def : entry->defs) Results(&def, InLets(&def, calls));
    Value(entry->require, calls);
    Results(entry, calls);
  }

  void File(Def* def) { Results(def, InLets(def, {})); }

 private:
  Calls InLets(Block* block, Calls calls) {
    Lets(&block->lets, &calls);
    return calls;
  }

  // A block, but for its lets.
  void Results(Block* block, Calls calls) {
    if (block->repetition) Repeated(&*block->repetition, &calls);
    for (Case& item : block->cases) {
      Value(item.when, calls);
      Calls inner = calls;
      Lets(&item.lets, &inner);
      for (ExprPtr& value : item.body.emit) Value(value, inner);
    }
  }

  void Repeated(Repetition* repetition, Calls* calls) {
    Value(repetition->in, *calls);
    Value(repetition->go_on, *calls);
    for (Let& let : repetition->init) Value(let.value, *calls);
    Calls inner = *calls;
    Lets(&repetition->lets, &inner);
    for (auto* lets : {&repetition->next, &repetition->collect})
      for (Let& let : *lets) Value(let.value, inner);
  }

  void Lets(std::vector<Let>* lets, Calls* calls) {
    for (Let& let : *lets) {
      Value(let.value, *calls);
      const bool is_call = let.value && let.value->kind == ExprKind::kCall;
      if (is_call && let.names.size() == 1) (*calls)[let.names[0]] = Called(*let.value);
    }
  }

  void Value(ExprPtr& expr, const Calls& calls) {
    Rewrite(expr, [&](const Expr& term) { return term.kind == ExprKind::kField ? Element(term, calls) : nullptr; });
  }

  const Def* Called(const Expr& expr) const {
    for (const std::vector<Def>* defs : defs_)
      if (const auto def = std::ranges::find(*defs, expr.text, &Def::name); def != defs->end()) return &*def;
    return nullptr;
  }

  ExprPtr Element(const Expr& field, const Calls& calls) {
    const Expr& base = *field.operands[0];
    const auto let = base.kind == ExprKind::kName ? calls.find(base.text) : calls.end();
    const bool is_call = base.kind == ExprKind::kCall || let != calls.end();
    const Def* def = base.kind == ExprKind::kCall ? Called(base) : is_call ? let->second : nullptr;
    // The name check reports it; the formatter knows no definitions of libraries.
    if (is_call && !def) return nullptr;
    const std::vector<std::string> none;
    const std::vector<std::string>& results = def ? def->results : none;
    const auto found = std::ranges::find(results, field.text);
    if (results.empty()) {
      diagnostics_->Error(field.place, fmt::format("`{}` has no results with names: it is no call of a definition that "
                                                   "emits `{{{}: ...}}`",
                                                   SpecText(base), field.text));
    } else if (found == results.end()) {
      const std::vector<std::string_view> names(results.begin(), results.end());
      diagnostics_->Error(
          field.place, fmt::format("`{}` has no result `{}`{}", def->name, field.text, DidYouMean(field.text, names)));
    }
    auto position = std::make_shared<Expr>();
    position->kind = ExprKind::kInt;
    position->place = field.place;
    position->int_value = found == results.end() ? 0 : found - results.begin();
    auto element = std::make_shared<Expr>();
    element->kind = ExprKind::kIndex;
    element->place = base.place;
    element->operands = {field.operands[0], std::move(position)};
    return element;
  }

  std::vector<const std::vector<Def>*> defs_;
  Diagnostics* diagnostics_;
};

}  // namespace

void ResolveResults(SpecFile* spec, Diagnostics* diagnostics) {
  // A copy: the resolver asks for results of definitions that are being changed.
  const std::vector<Def> defs = spec->defs;
  for (Def& def : spec->defs) Resolver({&defs}, diagnostics).File(&def);
  for (OpEntry& entry : spec->ops) {
    const std::vector<Def> own = entry.defs;
    Resolver({&own, &defs}, diagnostics).Entry(&entry);
  }
}

}  // namespace onnxport::codegen
