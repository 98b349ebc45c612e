// The one walk over the expressions of an entry or a definition. What a new clause holds is added here, and whoever
// looks for names, calls or operators, rewrites or mutates expressions meets it.
#ifndef ONNXPORT_CODEGEN_MODEL_WALK_H_
#define ONNXPORT_CODEGEN_MODEL_WALK_H_

#include <type_traits>

#include "codegen/model/spec.h"

namespace onnxport::codegen {
namespace walk {

void InLets(auto& lets, const auto& visit) {
  for (auto& let : lets) visit(let.value);
}

void InRepetition(auto& repetition, const auto& visit) {
  visit(repetition.in);
  visit(repetition.go_on);
  InLets(repetition.init, visit);
  InLets(repetition.lets, visit);
  InLets(repetition.next, visit);
  InLets(repetition.collect, visit);
}

void InCase(auto& item, const auto& visit) {
  visit(item.when);
  InLets(item.lets, visit);
  for (auto& value : item.body.emit) visit(value);
}

}  // namespace walk

// `visit` of every whole expression of a mapping or a definition, in reading order; some are null. What is not const
// may be changed in its place. Constants that are no expressions (`must`, the table of an `enum`) are not visited.
void ForEachWhole(auto& owner, const auto& visit) {
  constexpr bool is_mapping = std::is_base_of_v<Premises, std::remove_cvref_t<decltype(owner)>>;
  if constexpr (is_mapping)
    for (auto& [name, refine] : owner.args)
      if (refine.kind == RefineKind::kRepeatTo) visit(refine.value);
  walk::InLets(owner.lets, visit);
  if constexpr (is_mapping) {
    for (auto& def : owner.defs) ForEachWhole(def, visit);
    visit(owner.require);
  }
  if (owner.repetition) walk::InRepetition(*owner.repetition, visit);
  for (auto& item : owner.cases) walk::InCase(item, visit);
}

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_MODEL_WALK_H_
