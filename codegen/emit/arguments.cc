#include "codegen/emit/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "codegen/emit/names.h"
#include "codegen/model/uses.h"

namespace onnxport::codegen {
namespace {

class ArgumentsWriter {
 public:
  ArgumentsWriter(const SpecializedEntry& entry, const std::set<std::string>& used, BlockWriter* block)
      : entry_(entry), mapping_(entry.mapping), used_(used), block_(block) {}

  void Write() {
    const std::vector<size_t> needed = Needed();
    if (!needed.empty()) WriteList(needed);
    for (const size_t i : needed) WriteRefinement(NameAt(i));
    if (mapping_.promote) WritePromote();
  }

 private:
  const std::string& NameAt(size_t position) const { return entry_.schema->arguments[position].name; }

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
      if (used_.contains(argument.name) || IsPromoted(argument.name) || must) add(add, argument.name);
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
  void WriteList(const std::vector<size_t>& needed) {
    const bool changes =
        std::ranges::any_of(needed, [&](size_t i) { return IsPromoted(NameAt(i)) || IsReplaced(NameAt(i)); });
    if (needed.size() == 1) {
      block_->Add(cpp::Variable(changes ? "Val" : "const Val", block_->Declare(NameAt(needed[0])),
                                ContextMethod("arg", {cpp::Int(static_cast<int64_t>(needed[0]))})));
    } else {
      std::vector<std::string> locals;
      // args<n> gives the first n, so those between are named too; the last that is needed ends the list.
      for (size_t i = 0; i <= needed.back(); ++i) locals.push_back(block_->Declare(NameAt(i)));
      const std::string args = fmt::format("args<{}>", locals.size());
      block_->Add(cpp::Unpack(changes ? "auto" : "const auto", std::move(locals), ContextMethod(args, {})));
    }
  }

  void WriteRefinement(const std::string& name) {
    const Refine* refine = RefineOf(name);
    if (!refine || !refined_.insert(name).second) return;
    // A name that a refinement reads is refined first: `pad: repeat_to(n)` with an `n` that is an enum.
    if (!refine->tensor.empty()) WriteRefinement(refine->tensor);
    if (refine->value)
      for (const auto& [used, sure] : UsesOf(*refine->value, {})) WriteRefinement(used);
    const cpp::Expr argument = cpp::Name(block_->writer().names().OfSpec(name));
    if (IsReplaced(name)) block_->Add(cpp::Do(cpp::Infix("=", argument, Refined(name, *refine))));
    if (refine->kind == RefineKind::kMust)
      block_->Add(cpp::Do(cpp::Call("must", {cpp::Text(name), argument, block_->Value(*refine->value)})));
  }

  cpp::Expr Refined(const std::string& name, const Refine& refine) const {
    const cpp::Expr argument = cpp::Name(block_->writer().names().OfSpec(name));
    const auto of_tensor = [&](const char* method) {
      return ContextMethod(method,
                           {cpp::Text(name), argument, cpp::Name(block_->writer().names().OfSpec(refine.tensor))});
    };
    if (refine.kind == RefineKind::kAxis) return of_tensor("axis");
    if (refine.kind == RefineKind::kAxisList) return of_tensor("axis_list");
    if (refine.kind == RefineKind::kRepeatTo)
      return cpp::Call(InfoOf(Builtin::kRepeatTo).cpp, {argument, block_->Value(*refine.value)});
    cpp::Exprs rows;
    for (const auto& [from, to] : refine.table) rows.push_back(cpp::Braces({block_->Value(*from), block_->Value(*to)}));
    return cpp::Call("one_of", {cpp::Text(name), argument, cpp::Braces(std::move(rows))});
  }

  void WritePromote() {
    static constexpr const char* kKinds[] = {"PromoteKind::kDefault", "PromoteKind::kFloat", "PromoteKind::kBool"};
    cpp::Exprs items;
    for (const std::string& name : mapping_.promote->of)
      // By address, as promotion replaces them. One that this overload lacks (`other` of a unary form) is left out.
      if (entry_.schema->FindArgument(name) >= 0)
        items.push_back(cpp::Prefix("&", cpp::Name(block_->writer().names().OfSpec(name))));
    block_->Add(cpp::Do(ContextMethod(
        "promote", {cpp::Braces(std::move(items)), cpp::Name(kKinds[static_cast<int>(mapping_.promote->kind)])})));
  }

  const SpecializedEntry& entry_;
  const Mapping& mapping_;
  const std::set<std::string>& used_;
  BlockWriter* block_;
  std::set<std::string> refined_;
};

}  // namespace

void AddArguments(const SpecializedEntry& entry, const std::set<std::string>& used, BlockWriter* block) {
  ArgumentsWriter(entry, used, block).Write();
}

}  // namespace onnxport::codegen
