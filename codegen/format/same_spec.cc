#include "codegen/format/same_spec.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "codegen/model/members.h"
#include "codegen/model/parts.h"
#include "fmt/format.h"

namespace onnxport::codegen {
namespace {

template <typename T>
bool SameMembers(const T& a, const T& b);

// The first clause, in the table's order, that says another thing; empty when none does.
template <HasClauses T>
std::string_view DifferentClause(const T& a, const T& b);

// Compares structs that have clauses by their clauses, other structs by all members except places, and pointers and
// containers by their contents.
template <typename T>
bool Same(const T& a, const T& b) {
  if constexpr (std::is_same_v<T, Place>)
    return true;
  else if constexpr (std::is_same_v<T, lowering::NodeSchema>)
    return lowering::SameNode(a, b);
  else if constexpr (HasClauses<T>)
    return OwnersOf(a) == OwnersOf(b) && DifferentClause(a, b).empty();
  else if constexpr (std::is_same_v<T, double>)
    // NaN must equal NaN, or `of [nan]` in a test would make every file with it "changed".
    return a == b || (std::isnan(a) && std::isnan(b));
  else if constexpr (requires { *a; })
    return a && b ? Same(*a, *b) : !a && !b;
  else if constexpr (requires { a.first; })
    return Same(a.first, b.first) && Same(a.second, b.second);
  else if constexpr (std::ranges::range<T>)
    return std::ranges::equal(a, b, [](const auto& x, const auto& y) { return Same(x, y); });
  else if constexpr (PlainStruct<T>)
    return SameMembers(a, b);
  else
    return a == b;
}

template <typename T>
bool SameMembers(const T& a, const T& b) {
  return std::apply(
      [&](const auto&... x) { return std::apply([&](const auto&... y) { return (Same(x, y) && ...); }, Members(b)); },
      Members(a));
}

bool SamePart(const Clause&, const auto& a, const auto& b) { return Same(a, b); }

// All traits are kept in one list.
bool SamePart(const Clause& clause, const std::vector<Trait>& a, const std::vector<Trait>& b) {
  const auto of = [&](const std::vector<Trait>& traits) {
    const auto found = std::ranges::find(traits, clause.key, &Trait::key);
    return found == traits.end() ? nullptr : &*found;
  };
  return Same(of(a), of(b));
}

template <HasClauses T>
std::string_view DifferentClause(const T& a, const T& b) {
  std::string_view different;
  ForEachClause(a, [&](const Clause& clause, auto... member) {
    if (different.empty() && !(SamePart(clause, a.*member, b.*member) && ...)) different = clause.key;
  });
  return different;
}

std::string NameOf(const Def& def) { return "the definition " + def.name; }
std::string NameOf(const auto& item) { return item.names.empty() ? "an entry" : item.names[0]; }

// "aten::add: let", of the first item that is not the same.
template <typename T>
std::string DifferentItem(const std::vector<T>& a, const std::vector<T>& b) {
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (const auto clause = DifferentClause(a[i], b[i]); !clause.empty())
      return fmt::format("{}: {}", NameOf(a[i]), clause);
  return "";
}

}  // namespace

std::string Difference(const SpecFile& a, const SpecFile& b) {
  const std::string clause(DifferentClause(a, b));
  if (clause != "ops") return clause;
  for (std::string item :
       {DifferentItem(a.ops, b.ops), DifferentItem(a.defs, b.defs), DifferentItem(a.traits, b.traits)})
    if (!item.empty()) return item;
  return clause;
}

}  // namespace onnxport::codegen
