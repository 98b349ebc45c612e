// The one walk over what an entry or a definition consists of. It follows the table of clauses, so whoever looks for
// names, calls or operators, rewrites or mutates expressions meets what a new clause holds.
#ifndef ONNXPORT_CODEGEN_MODEL_WALK_H_
#define ONNXPORT_CODEGEN_MODEL_WALK_H_

#include <ranges>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>

#include "codegen/model/members.h"
#include "codegen/model/parts.h"
#include "codegen/model/spec.h"

namespace onnxport::codegen {
namespace walk {

// `visit` of every `Wanted` in `x`; what is in it itself is left to `visit`.
template <typename Wanted>
void ForEachIn(auto& x, const auto& visit) {
  using T = std::remove_cvref_t<decltype(x)>;
  const auto inner = [&](auto&... members) { (ForEachIn<Wanted>(members, visit), ...); };
  if constexpr (std::is_same_v<T, Wanted>) {
    visit(x);
  } else if constexpr (std::is_same_v<T, ExprPtr> || std::is_same_v<T, Place> || std::is_same_v<T, std::string>) {
    return;
  } else if constexpr (std::is_same_v<T, Refine>) {
    // The others are constants (`must`, the table of an `enum`), which nobody computes.
    if (x.kind == RefineKind::kRepeatTo) inner(x.value);
  } else if constexpr (HasClauses<T>) {
    ForEachPart(x, inner);
  } else if constexpr (requires { x.has_value(); }) {
    if (x) inner(*x);
  } else if constexpr (std::ranges::range<T>) {
    for (auto& item : x) inner(item);
  } else if constexpr (requires { x.first; }) {
    inner(x.first, x.second);
  } else if constexpr (PlainStruct<T>) {
    std::apply(inner, Members(x));
  }
}

// An entry as what is computed: its tests and constants are no part of that.
auto& Computed(auto& owner) {
  if constexpr (std::is_base_of_v<Mapping, std::remove_cvref_t<decltype(owner)>>) {
    using Whole = std::conditional_t<std::is_const_v<std::remove_reference_t<decltype(owner)>>, const Mapping, Mapping>;
    return static_cast<Whole&>(owner);
  } else {
    return owner;
  }
}

}  // namespace walk

// Calls `visit` for every whole expression of a mapping or a definition, in the table's order; some are null. If the
// owner is not const, `visit` may change the expression. Constants that are no expressions (`must`, the table of an
// `enum`) are not visited.
void ForEachWhole(auto& owner, const auto& visit) { walk::ForEachIn<ExprPtr>(walk::Computed(owner), visit); }

// `visit` of every list of names that a mapping or a definition gives to values: of a let, of `each`. Parameters are
// not among them; those of a mapping's definitions and what they name are left to the caller.
void ForEachNames(auto& owner, const auto& visit) {
  const auto without_defs = [&](auto& part) {
    if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(part)>, std::vector<Def>>) {
      walk::ForEachIn<Let>(part, [&](auto& let) { visit(let.names); });
      walk::ForEachIn<Repetition>(part, [&](auto& repetition) { visit(repetition.each); });
    }
  };
  ForEachPart(walk::Computed(owner), without_defs);
}

// All of these.
void AddNamesGiven(const auto& owner, std::set<std::string>* names) {
  ForEachNames(owner, [&](const auto& given) { names->insert(given.begin(), given.end()); });
}

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_MODEL_WALK_H_
