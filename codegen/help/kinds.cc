#include "codegen/help/kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "codegen/check/dtypes.h"
#include "codegen/check/kind_check.h"
#include "codegen/check/kinds_seen.h"
#include "codegen/check/opset_text.h"
#include "codegen/specialize/specialize.h"

namespace onnxport::codegen {
namespace {

bool IsWithin(const Place& place, const LineRange& item) {
  return place.line > static_cast<int>(item.first) && place.line <= static_cast<int>(item.second);
}

std::string TextOfKind(const Kind& kind) {
  return ToText(kind) + (kind.May(Kind::kTensor) && !kind.unknown() ? " of " + ToText(kind.dtypes) : "");
}

// One line for each run of opsets with the same kind.
std::string RunsText(const std::map<int, Kind>& kinds) {
  std::string text;
  for (auto begin = kinds.begin(); begin != kinds.end();) {
    std::set<int> opsets;
    const std::string kind = TextOfKind(begin->second);
    for (; begin != kinds.end() && TextOfKind(begin->second) == kind; ++begin) opsets.insert(begin->first);
    text += fmt::format("  {}: {}\n", OpsetText(opsets), kind);
  }
  return text;
}

std::map<int, Kind> KindsIn(const SpecializedOverload& overload, const SpecializedSpec& spec, const Place& where,
                            const std::string& name) {
  KindsSeen seen(name, where);
  for (const auto& [opset, entry] : overload.at) {
    Issues ignored;
    std::vector<Uncovered> uncovered;
    CheckKinds(entry, spec.defs_at.at(opset), &ignored, &uncovered, &seen);
  }
  return seen.kinds();
}

}  // namespace

std::string KindsOf(const SpecFile& spec, const LineRange& item, const std::string& name, int line, int column) {
  SpecFile looked_at = spec;
  const bool of_entry = std::ranges::any_of(spec.ops, [&](const OpEntry& op) { return IsWithin(op.place, item); });
  if (of_entry) std::erase_if(looked_at.ops, [&](const OpEntry& op) { return !IsWithin(op.place, item); });
  const SpecializedSpec specialized = Specialize(std::move(looked_at));
  std::vector<std::pair<std::string, std::string>> texts;  // overload, what it may be there
  for (const SpecializedOp& op : specialized.ops)
    for (const SpecializedOverload& overload : op.overloads) {
      const Place where{.file = nullptr, .line = line, .column = column};
      const std::string text = RunsText(KindsIn(overload, specialized, where, name));
      if (!text.empty()) texts.emplace_back(overload.schema->name, text);
    }
  if (texts.empty()) return "";
  const bool alike = std::ranges::all_of(texts, [&](const auto& one) { return one.second == texts[0].second; });
  if (alike) return texts[0].second;
  std::string text;
  for (const auto& [overload, kinds] : texts) text += fmt::format("  in {}:\n{}", overload, kinds);
  return text;
}

}  // namespace onnxport::codegen
