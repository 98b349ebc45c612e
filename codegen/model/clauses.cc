// That no member is forgotten: each of a struct that keeps clauses is in the table, or named here.
#include "codegen/model/clauses.h"

#include "codegen/model/members.h"
#include "codegen/model/parts.h"

namespace onnxport::codegen {
namespace {

// Where something stands, and what is found out and not read.
using NotOfClauses =
    KeptIn<&SpecFile::path, &SpecFile::complete, &Premises::place, &Signature::place, &NodeDeclaration::place,
           &Case::place, &Repetition::kind, &Repetition::place, &PromoteRule::place, &ComputeIn::place>;

template <typename... Members>
struct MemberSet {};

template <typename Struct, auto kMember>
struct MemberIfOf {};

// The set with the member, when it is one of the struct and not in the set.
template <typename... Known, typename Struct, auto kMember>
constexpr auto operator+(MemberSet<Known...> known, MemberIfOf<Struct, kMember>) {
  using Member = std::integral_constant<decltype(kMember), kMember>;
  constexpr bool is_new =
      std::is_same_v<decltype(parts::StructOf(kMember)), Struct> && !(std::is_same_v<Member, Known> || ...);
  if constexpr (is_new)
    return MemberSet<Known..., Member>();
  else
    return known;
}

template <typename Struct>
struct OfRows {};

template <typename... Known, typename Struct, auto... kMembers>
constexpr auto AddRow(MemberSet<Known...> known, OfRows<Struct>, const KeptIn<kMembers...>&) {
  return (known + ... + MemberIfOf<Struct, kMembers>());
}

template <typename Struct, typename Set>
constexpr Set AddRows(Set known, OfRows<Struct>) {
  return known;
}

template <typename Struct, typename Set, typename First, typename... Rest>
constexpr auto AddRows(Set known, OfRows<Struct> of, const First& first, const Rest&... rest) {
  return AddRows(AddRow(known, of, first), of, rest...);
}

template <typename... Members>
constexpr size_t SizeOf(MemberSet<Members...>) {
  return sizeof...(Members);
}

template <typename Struct>
constexpr size_t NamedMembers() {
  return std::apply(
      [](const auto&... row) { return SizeOf(AddRows(MemberSet<>(), OfRows<Struct>(), NotOfClauses(), row...)); },
      kTable);
}

template <typename... Structs>
struct EachMemberOf {
  static_assert(((NamedMembers<Structs>() == kMemberCount<Structs>) && ...),
                "a member that no clause keeps: give its row in clauses.h the member, or name it above");
};

template struct EachMemberOf<SpecFile, Premises, Block, Claim, TraitEntry, Signature, NodeDeclaration, Case, Repetition,
                             PromoteRule, ComputeIn>;

}  // namespace
}  // namespace onnxport::codegen
