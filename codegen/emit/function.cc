#include "codegen/emit/function.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "codegen/emit/block.h"
#include "codegen/emit/block_plan.h"
#include "codegen/emit/definition.h"
#include "codegen/emit/function_names.h"
#include "codegen/emit/names.h"
#include "codegen/emit/repetition.h"
#include "codegen/model/spec_text.h"
#include "codegen/model/uses.h"

namespace onnxport::codegen {
namespace {

cpp::Expr ContextMethod(std::string_view method, cpp::Exprs arguments) {
  return cpp::Method(cpp::Name("c"), method, std::move(arguments));
}

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
    WriteArguments();
    if (mapping_.promote) WritePromote();
    if (const ComputeIn* rule = CommonComputeIn(mapping_)) block_.Add(ComputeInCall(*rule));
    WriteLetsAndRequire();
    if (plan_.repetition_places.contains(kWholeFunction)) WriteRepetition(&block_);
    for (size_t i = 0; i < mapping_.cases.size(); ++i) WriteCase(static_cast<int>(i));
    if (mapping_.cases.back().when) WriteNoCase();
    return block_.Take();
  }

 private:
  // ---- arguments ----

  const Refine* RefineOf(const std::string& name) const {
    const auto found = std::ranges::find(mapping_.args, name, &std::pair<std::string, Refine>::first);
    return found == mapping_.args.end() ? nullptr : &found->second;
  }

  bool IsPromoted(const std::string& name) const {
    return mapping_.promote && std::ranges::find(mapping_.promote->of, name) != mapping_.promote->of.end();
  }

  // Positions of the arguments that the function reads. Also those that only a refinement reads: `dim: axis(self)`
  // needs `self`, even if no expression does.
  std::vector<size_t> Needed() const {
    std::set<std::string> names;
    const auto add = [&](const auto& self, const std::string& name) -> void {
      if (!names.insert(name).second) return;
      const Refine* refine = RefineOf(name);
      if (refine && !refine->tensor.empty()) self(self, refine->tensor);
      if (refine && refine->value)
        for (const auto& [used, sure] : UsesOf(*refine->value, {})) self(self, used);
    };
    std::vector<size_t> positions;
    for (const ir::AtenArgument& argument : entry_.schema->arguments) {
      const Refine* refine = RefineOf(argument.name);
      const bool must = refine && refine->kind == RefineKind::kMust;
      if (plan_.used.contains(argument.name) || IsPromoted(argument.name) || must) add(add, argument.name);
    }
    for (size_t i = 0; i < entry_.schema->arguments.size(); ++i)
      if (names.contains(entry_.schema->arguments[i].name)) positions.push_back(i);
    return positions;
  }

  bool IsReplaced(const std::string& name) const {
    const Refine* refine = RefineOf(name);
    return refine && (refine->kind == RefineKind::kAxis || refine->kind == RefineKind::kAxisList ||
                      refine->kind == RefineKind::kRepeatTo || refine->kind == RefineKind::kEnum);
  }

  // `const auto [self, dim] = c.args<2>();`, and what the refinements make of them.
  void WriteArguments() {
    const std::vector<size_t> needed = Needed();
    if (needed.empty()) return;
    const auto name_at = [&](size_t i) -> const std::string& { return entry_.schema->arguments[i].name; };
    const bool changes =
        std::ranges::any_of(needed, [&](size_t i) { return IsPromoted(name_at(i)) || IsReplaced(name_at(i)); });
    if (needed.size() == 1) {
      block_.Add(cpp::Variable(changes ? "Val" : "const Val", block_.Declare(name_at(needed[0])),
                               ContextMethod("arg", {cpp::Int(static_cast<int64_t>(needed[0]))})));
    } else {
      std::vector<std::string> locals;
      // args<n> gives the first n, so those between are named too; the last that is needed ends the list.
      for (size_t i = 0; i <= needed.back(); ++i) locals.push_back(block_.Declare(name_at(i)));
      const std::string args = fmt::format("args<{}>", locals.size());
      block_.Add(cpp::Unpack(changes ? "auto" : "const auto", std::move(locals), ContextMethod(args, {})));
    }
    for (const size_t i : needed) WriteRefinement(name_at(i));
  }

  void WriteRefinement(const std::string& name) {
    const Refine* refine = RefineOf(name);
    if (!refine || !refined_.insert(name).second) return;
    // What a refinement reads is refined before it: `pad: repeat_to(n)` with an `n` that is an enum.
    if (!refine->tensor.empty()) WriteRefinement(refine->tensor);
    if (refine->value)
      for (const auto& [used, sure] : UsesOf(*refine->value, {})) WriteRefinement(used);
    const cpp::Expr argument = cpp::Name(names_.OfSpec(name));
    if (IsReplaced(name)) block_.Add(cpp::Do(cpp::Infix("=", argument, Refined(name, *refine))));
    if (refine->kind == RefineKind::kMust)
      block_.Add(cpp::Do(ContextMethod("must", {cpp::Text(name), argument, block_.Value(*refine->value)})));
  }

  cpp::Expr Refined(const std::string& name, const Refine& refine) const {
    const cpp::Expr argument = cpp::Name(names_.OfSpec(name));
    const auto of_tensor = [&](const char* method) {
      return ContextMethod(method, {cpp::Text(name), argument, cpp::Name(names_.OfSpec(refine.tensor))});
    };
    if (refine.kind == RefineKind::kAxis) return of_tensor("axis");
    if (refine.kind == RefineKind::kAxisList) return of_tensor("axis_list");
    if (refine.kind == RefineKind::kRepeatTo)
      return cpp::Call(InfoOf(Builtin::kRepeatTo).cpp, {argument, block_.Value(*refine.value)});
    cpp::Exprs rows;
    for (const auto& [from, to] : refine.table) rows.push_back(cpp::Braces({block_.Value(*from), block_.Value(*to)}));
    return ContextMethod("one_of", {cpp::Text(name), argument, cpp::Braces(std::move(rows))});
  }

  void WritePromote() {
    static constexpr const char* kKinds[] = {"PromoteKind::kDefault", "PromoteKind::kFloat", "PromoteKind::kBool"};
    cpp::Exprs items;
    for (const std::string& name : mapping_.promote->of)
      // By address, as promotion replaces them. One that this overload lacks (`other` of a unary form) is left out.
      if (entry_.schema->FindArgument(name) >= 0) items.push_back(cpp::Prefix("&", cpp::Name(names_.OfSpec(name))));
    block_.Add(cpp::Do(ContextMethod(
        "promote", {cpp::Braces(std::move(items)), cpp::Name(kKinds[static_cast<int>(mapping_.promote->kind)])})));
  }

  // ---- lets, defs, require ----

  // Whether `require` cannot be asked before this let is there.
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
      block_.Add(cpp::Do(ContextMethod(
          "require", {writer_.Bool(*mapping_.require, block_.scope()), cpp::Text(mapping_.require_text)})));
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
    block->Add(Result(item.body, *block));
    if (item.when) block_.Add(cpp::If(writer_.Condition(*item.when, block_.scope()), inner.Take()));
  }

  // [&]() -> Vals { return {...}; }
  cpp::Expr Branch(const Body& body, size_t begin, size_t end, const BlockWriter& block) const {
    cpp::Exprs items;
    for (size_t i = begin; i < end; ++i) items.push_back(writer_.Val(*body.emit[i], block.scope()));
    return cpp::Lambda({}, "Vals", {cpp::Return(cpp::Braces(std::move(items)))});
  }

  cpp::Expr If(const Body& body, const BlockWriter& block) const {
    const size_t results = body.emit.size() / 2;
    return ContextMethod("if_op", {block.Value(*body.emit[0]), Branch(body, 1, 1 + results, block),
                                   Branch(body, 1 + results, body.emit.size(), block)});
  }

  cpp::Expr Map(const Expr& map, const BlockWriter& outer) const {
    BlockWriter inner = outer.Inner();
    const std::string element = inner.Declare(map.names[0]);
    cpp::Expr each = cpp::Lambda({{"const Val&", element}}, "Val", {cpp::Return(inner.Value(*map.operands[0]))});
    return ContextMethod("map", {outer.Value(*map.operands[1]), std::move(each)});
  }

  cpp::Statement Result(const Body& body, const BlockWriter& block) const {
    switch (body.kind) {
      case Body::Kind::kIf:
        return cpp::Return(If(body, block));
      case Body::Kind::kMap:
        return cpp::Return(cpp::Braces({Map(*body.emit[0], block)}));
      case Body::Kind::kHook:
        return cpp::Return(cpp::Call(body.text, {cpp::Name("c")}));
      case Body::Kind::kRefuse:
        // It throws, so no return is needed.
        return cpp::Do(ContextMethod("refuse", {writer_.Reason(cpp::Text(body.text))}));
      case Body::Kind::kEmit:
      case Body::Kind::kList:
      case Body::Kind::kSequence:
        break;
    }
    if (body.emit.size() == 1 && entry_.schema->results.size() > 1)
      return cpp::Return(cpp::Method(writer_.Val(*body.emit[0], block.scope()), "AsList", {}));
    cpp::Exprs items;
    for (const ExprPtr& value : body.emit)
      items.push_back(body.emit.size() == 1 ? writer_.ListSafe(*value, block.scope()) : block.Value(*value));
    return cpp::Return(cpp::Braces(std::move(items)));
  }

  void WriteNoCase() {
    cpp::Exprs conditions;
    for (const Case& item : mapping_.cases) conditions.push_back(cpp::Text(SpecText(*item.when)));
    block_.Add(cpp::Do(ContextMethod("no_case", {cpp::Braces(std::move(conditions))})));
  }

  const SpecializedEntry& entry_;
  const Mapping& mapping_;
  BlockPlan plan_;
  LocalNames names_;
  ExpressionWriter writer_;
  BlockWriter block_;
  std::set<std::string> refined_;
  std::set<std::string> written_defs_;
};

}  // namespace

cpp::Block WriteFunction(const SpecializedEntry& entry, Arms* arms) {
  if (arms) arms->Enter(entry.schema->name);
  return FunctionWriter(entry, arms).Write();
}

}  // namespace onnxport::codegen
