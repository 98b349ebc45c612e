#include "codegen/emit/function.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "codegen/emit/arguments.h"
#include "codegen/emit/block.h"
#include "codegen/emit/block_plan.h"
#include "codegen/emit/case_body.h"
#include "codegen/emit/definition.h"
#include "codegen/emit/function_names.h"
#include "codegen/emit/names.h"
#include "codegen/emit/repetition.h"
#include "codegen/model/spec_text.h"
#include "codegen/model/uses.h"

namespace onnxport::codegen {
namespace {

bool IsLocal(const Mapping& mapping, const std::string& def) {
  return std::ranges::find(mapping.defs, def, &Def::name) != mapping.defs.end();
}

cpp::Statement ComputeInCall(const ComputeIn& rule) {
  static constexpr std::pair<const char*, const char*> kFields[] = {
      {"int", "integers"}, {"half", "half"}, {"bool", "boolean"}, {"double", "float64"}};
  cpp::Exprs items;
  for (const auto& [word, field] : kFields) {
    const auto found = rule.to.find(word);
    if (found == rule.to.end()) continue;
    Expr dtype;
    dtype.kind = ExprKind::kDType;
    dtype.dtype = ir::ParseDType(found->second).value_or(ir::DType::kUndefined);
    items.push_back(cpp::Field(field, Constant(dtype).code));
  }
  return cpp::Do(ContextMethod("compute_in", {cpp::Braces(std::move(items))}));
}

class FunctionWriter {
 public:
  // The order of members counts: the writer asks `names_`, the block asks the writer.
  FunctionWriter(const SpecializedEntry& entry, Arms* arms)
      : entry_(entry),
        mapping_(entry.mapping),
        plan_(PlanOf(mapping_)),
        names_(NamesOf(mapping_, *entry.schema), CalledBy(mapping_)),
        writer_(
            &names_,
            [this](const std::string& def) -> DefCall {
              if (IsLocal(mapping_, def)) return {.function = names_.OfSpec(def), .takes_context = false};
              return {.function = DefName(def), .takes_context = true};
            },
            arms),
        block_(&writer_) {}

  cpp::Block Write() {
    // The order of the function is that of the language: what refines an argument, promotion, lets and `require`, the
    // repetition, the cases, and last "no case". Only lets that `require` asks for come before it: what another let
    // throws would hide the sentence that it refuses with.
    AddArguments(entry_, plan_.used, &block_);
    if (const ComputeIn* rule = CommonComputeIn(mapping_)) block_.Add(ComputeInCall(*rule));
    WriteLetsAndRequire();
    if (plan_.repetition_places.contains(kWholeFunction)) WriteRepetition(&block_);
    for (size_t i = 0; i < mapping_.cases.size(); ++i) WriteCase(static_cast<int>(i));
    if (mapping_.cases.back().when) WriteNoCase();
    return block_.Take();
  }

 private:
  // ---- lets, defs, require ----

  // Returns the lets that `require` reads, so they must come before it.
  std::set<std::string> NeededByRequire() const {
    std::set<std::string> needed;
    const auto add = [&](const Expr& expr) {
      for (const auto& [name, sure] : UsesOf(expr, mapping_.defs)) needed.insert(name);
    };
    if (mapping_.require) add(*mapping_.require);
    // Backwards, since lets use only earlier ones: one walk finds all that `require` needs.
    for (size_t i = plan_.lets.size(); i-- > 0;)
      if (std::ranges::any_of(plan_.lets[i].let->names, [&](const auto& name) { return needed.contains(name); }))
        add(*plan_.lets[i].let->value);
    return needed;
  }

  void WriteLetsAndRequire() {
    const std::set<std::string> early = NeededByRequire();
    const auto is_early = [&](const PlannedLet& planned) {
      return std::ranges::any_of(planned.let->names, [&](const auto& name) { return early.contains(name); });
    };
    for (const PlannedLet& planned : plan_.lets)
      if (planned.place == kWholeFunction && is_early(planned)) WriteLet(planned);
    if (mapping_.require) {
      WriteDefsOf(*mapping_.require);
      block_.Add(cpp::Do(
          cpp::Call("require", {writer_.Bool(*mapping_.require, block_.scope()), cpp::Text(mapping_.require_text)})));
    }
    for (const PlannedLet& planned : plan_.lets)
      if (planned.place == kWholeFunction && !is_early(planned)) WriteLet(planned);
    Mapping rest = mapping_;
    // A lambda that nothing calls would be a warning.
    rest.defs.clear();  // those that nothing calls
    rest.lets.clear();
    for (const ExprPtr& expr : ExpressionsOf(rest)) WriteDefsOf(*expr);
    for (const PlannedLet& planned : plan_.lets) WriteDefsOf(*planned.let->value);
  }

  void WriteLet(const PlannedLet& planned) {
    WriteDefsOf(*planned.let->value);
    block_.AddLet(planned, plan_.used);
  }

  // Defs that an expression calls, before it: as lambdas, since they see the entry's names.
  void WriteDefsOf(const Expr& expr) {
    std::set<std::string> calls;
    AddCalls(expr, &calls);
    for (const Def& def : mapping_.defs)
      if (calls.contains(def.name) && written_defs_.insert(def.name).second) WriteLocalDef(def);
  }

  void WriteLocalDef(const Def& def) {
    for (const ExprPtr& expr : ExpressionsOf(def)) WriteDefsOf(*expr);
    BlockWriter inner = block_.Inner();
    std::vector<cpp::Parameter> parameters;
    for (const std::string& name : def.params) parameters.push_back({"const Val&", inner.Declare(name)});
    AddDefBody(def, mapping_.defs, &inner);
    block_.Add(
        cpp::Variable("const auto", names_.OfSpec(def.name), cpp::Lambda(std::move(parameters), "Val", inner.Take())));
  }

  void WriteRepetition(BlockWriter* block) { AddRepetition(*mapping_.repetition, plan_.repetition, plan_.used, block); }

  // ---- cases ----

  void WriteCase(int index) {
    const Case& item = mapping_.cases[index];
    BlockWriter inner = block_.Inner();
    // A case without a condition needs no braces: nothing comes behind it.
    BlockWriter* block = item.when ? &inner : &block_;
    if (writer_.arms() && entry_.several_cases)
      block->Add(writer_.arms()->Case(mapping_, entry_.case_numbers[index], item.when.get()));
    // Within the case, as another case may compute in another dtype; one that all share stands at the beginning.
    if (!item.compute_in.to.empty() && !CommonComputeIn(mapping_)) block->Add(ComputeInCall(item.compute_in));
    for (const PlannedLet& planned : plan_.lets)
      if (planned.place == index) block->AddLet(planned, plan_.used);
    if (plan_.repetition_places.contains(index)) WriteRepetition(block);
    for (const PlannedLet& planned : plan_.cases[index]) block->AddLet(planned, plan_.used);
    block->Add(ResultOf(item.body, entry_.schema->results.size() > 1, *block));
    if (item.when) block_.Add(cpp::If(writer_.Condition(*item.when, block_.scope()), inner.Take()));
  }

  void WriteNoCase() {
    cpp::Exprs conditions;
    for (const Case& item : mapping_.cases) conditions.push_back(cpp::Text(SpecText(*item.when)));
    block_.Add(cpp::Do(cpp::Call("no_case", {cpp::Braces(std::move(conditions))})));
  }

  const SpecializedEntry& entry_;
  const Mapping& mapping_;
  BlockPlan plan_;
  LocalNames names_;
  ExpressionWriter writer_;
  BlockWriter block_;
  std::set<std::string> written_defs_;
};

}  // namespace

cpp::Block WriteFunction(const SpecializedEntry& entry, Arms* arms) {
  if (arms) arms->Enter(entry.schema->name);
  return FunctionWriter(entry, arms).Write();
}

}  // namespace onnxport::codegen
