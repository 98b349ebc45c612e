// The members that store the clauses of a file, an entry, a case and so on, by the table.
#ifndef ONNXPORT_CODEGEN_MODEL_PARTS_H_
#define ONNXPORT_CODEGEN_MODEL_PARTS_H_

#include <algorithm>
#include <array>
#include <tuple>
#include <type_traits>

#include "codegen/model/clauses.h"

namespace onnxport::codegen {

// Who in the table has the keys of a struct.
inline uint32_t OwnersOf(const SpecFile&) { return kOfFile; }
inline uint32_t OwnersOf(const Mapping&) { return kOfEntry; }
inline uint32_t OwnersOf(const TraitEntry&) { return kOfTraitItem; }
inline uint32_t OwnersOf(const Def&) { return kOfEachDef; }
inline uint32_t OwnersOf(const NodeDeclaration&) { return kOfSchema; }
inline uint32_t OwnersOf(const Case&) { return kOfCase; }
inline uint32_t OwnersOf(const PromoteRule&) { return kOfPromote; }
inline uint32_t OwnersOf(const ComputeIn&) { return kOfComputeIn; }
inline uint32_t OwnersOf(const Repetition& repetition) {
  return repetition.kind == Repetition::Kind::kFold ? kOfFold : kOfLoop;
}

template <typename T>
concept HasClauses = requires(const T& x) { OwnersOf(x); };

namespace parts {

template <typename Struct, typename Type>
Struct StructOf(Type Struct::*);

template <typename T, auto kMember>
constexpr auto IfOf() {
  if constexpr (std::is_base_of_v<decltype(StructOf(kMember)), T>)
    return std::tuple(kMember);
  else
    return std::tuple();
}

template <typename T, auto... kMembers>
void VisitRow(const KeptIn<kMembers...>& row, uint32_t owners, const auto& visit) {
  constexpr auto members = std::tuple_cat(IfOf<T, kMembers>()...);
  if constexpr (std::tuple_size_v<decltype(members)> > 0)
    if (row.owners & owners) std::apply([&](auto... member) { visit(row, member...); }, members);
}

}  // namespace parts

// `visit(clause, members...)` for each clause that `x` may have, with pointers to the members that keep it, in the
// table's order.
template <HasClauses T>
void ForEachClause(const T& x, const auto& visit) {
  const uint32_t owners = OwnersOf(x);
  std::apply([&](const auto&... row) { (parts::VisitRow<T>(row, owners, visit), ...); }, kTable);
}

// `visit(part)` for each member that keeps a clause of `x`: once, whichever clauses it keeps (`emit`, `list` ... are
// one member), where the first of them stands in the table.
template <typename T>
  requires HasClauses<std::remove_const_t<T>>
void ForEachPart(T& x, const auto& visit) {
  std::array<const void*, kClauses.size()> seen;
  auto* end = seen.begin();
  const auto visit_new = [&](auto& part) {
    if (std::find(seen.begin(), end, &part) != end) return;
    *end++ = &part;
    visit(part);
  };
  ForEachClause(x, [&](const Clause&, auto... member) { (visit_new(x.*member), ...); });
}

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_MODEL_PARTS_H_
