#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "runtime/base/text.h"
#include "runtime/sources/pt2/guard_sizes.h"
#include "runtime/sources/pt2/guards.h"

namespace onnxport::pt2 {
namespace {

constexpr size_t kMostTold = 3;
constexpr size_t kLongestTold = 80;
constexpr size_t kTrials = 96;

// For a comparison that does not hold: returns true if it only says that a side is not 0 or 1, or if a factor is 1 (A <
// A*B).
bool SaysNotOne(const Comparison& comparison, int64_t left, int64_t right) {
  const auto bounds = [&](const ir::Dim& bound, int64_t other) {
    return bound.is_number() && bound.number() >= 0 && bound.number() <= 2 && other <= 1 && comparison.sign != "==";
  };
  if (bounds(comparison.left, right) || bounds(comparison.right, left)) return true;
  const auto multiple = [](const ir::Dim& of, const ir::Dim& side) { return ir::Dim::FloorDiv(side, of) * of == side; };
  return left == right && (multiple(comparison.left, comparison.right) || multiple(comparison.right, comparison.left));
}

// The size of a symbol in a trial. It is within the symbol's range, and each trial has another one. The first half of
// the trials goes up from the least size one by one. The other half uses steps that differ by symbol, so that the sizes
// have other remainders.
int64_t TrialSize(const ir::Range& range, size_t symbol, size_t trial) {
  const int64_t low = std::max<int64_t>(range.min.value_or(2), 2);
  const int64_t high = std::max(low, range.max.value_or(low + 4096));
  const auto step = static_cast<int64_t>(trial * (trial < kTrials / 2 ? 1 : 31 + 2 * symbol) + symbol * trial / 3);
  return low + step % (high - low + 1);
}

// Returns true for "not 0 or 1" of a size, and for a condition that holds for all sizes in the ranges other than 1.
// This is tested with trials, which are no proof. But only the remark depends on it: a condition that holds in all
// trials and fails for other sizes is not reported.
bool GoesWithoutSaying(const Comparison& comparison, const ir::Ranges& ranges) {
  std::vector<std::string> symbols = comparison.left.symbols();
  for (std::string& symbol : comparison.right.symbols()) symbols.push_back(std::move(symbol));
  for (size_t trial = 0; trial < kTrials; ++trial) {
    std::map<std::string, ir::Dim> sizes;
    for (size_t i = 0; i < symbols.size(); ++i) {
      const auto range = ranges.find(symbols[i]);
      sizes.emplace(symbols[i], TrialSize(range == ranges.end() ? ir::Range() : range->second, i, trial));
    }
    const ir::Dim left = comparison.left.Substitute(sizes);
    const ir::Dim right = comparison.right.Substitute(sizes);
    if (!left.is_number() || !right.is_number()) return false;
    const bool holds = Holds(left.number(), comparison.sign, right.number());
    if (!holds && !SaysNotOne(comparison, left.number(), right.number())) return false;
  }
  return true;
}

// Returns true if `holds` is true for one part of the text between two such words; with `all`, for each part.
template <typename Predicate>
bool OfParts(std::string_view text, std::string_view word, bool all, const Predicate& holds) {
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(word, begin), text.size());
    if (holds(text.substr(begin, end - begin)) != all) return !all;
    begin = end + word.size();
  }
  return all;
}

// Handles "A == 4 or B >= 2 and A > 0", where the last two always hold. A part with brackets is not read as a
// comparison, so it does not count as one that always holds.
bool AlwaysHolds(std::string_view text, const ir::Ranges& ranges) {
  const auto goes_without_saying = [&](std::string_view part) {
    const auto comparison = ReadComparison(std::string(part));
    return comparison && GoesWithoutSaying(*comparison, ranges);
  };
  return OfParts(text, " or ", false, [&](std::string_view alternative) {
    return OfParts(alternative, " and ", true, goes_without_saying);
  });
}

// Returns true for "A == 5" if the axis had size 5 in the file and is free now. FreedRemark mentions that.
bool IsFreed(const Comparison& comparison, const std::vector<inputs::FreedAxis>& freed) {
  return comparison.sign == "==" && std::ranges::any_of(freed, [&](const inputs::FreedAxis& axis) {
           return comparison.left.symbol() == axis.symbol && comparison.right == ir::Dim(axis.size);
         });
}

// Returns the conditions that not all sizes fulfill, shortest first.
std::vector<std::string> ConditionsOf(const std::vector<std::string>& guards, const ir::Graph& graph,
                                      const std::vector<inputs::FreedAxis>& freed) {
  const GuardInputs inputs = InputsOf(graph);
  // Sorted by length, then by text. If two guards state the same condition in other words, it is reported once.
  std::set<std::pair<size_t, std::string>> found;
  for (const std::string& guard : guards) {
    const std::string text = InSympysWords(InSymbols(guard, inputs).value_or(guard));
    if (AlwaysHolds(text, graph.ranges)) continue;
    const auto comparison = ReadComparison(text);
    if (comparison && IsFreed(*comparison, freed)) continue;
    const std::string told = comparison ? comparison->left.ToString() + " " + std::string(comparison->sign) + " " +
                                              comparison->right.ToString()
                                        : text;
    // The text is one of several lines, so line ends in names from the file must be escaped.
    const std::string visible = VisibleLine(told);
    found.emplace(visible.size(), visible);
  }
  std::vector<std::string> conditions;
  for (const auto& [size, text] : found) conditions.push_back(text);
  return conditions;
}

}  // namespace

Warning OtherSizes(const std::string& what, const std::string& details) {
  return {Code::kOtherSizes, what + "; for others the model may be wrong" + details};
}

std::optional<Warning> GuardWarning(const std::vector<std::string>& guards, const ir::Graph& graph,
                                    const std::vector<inputs::FreedAxis>& freed) {
  const std::vector<std::string> conditions = ConditionsOf(guards, graph, freed);
  if (conditions.empty()) return std::nullopt;
  std::string few;
  std::string all;
  size_t told = 0;
  for (const std::string& condition : conditions) {
    if (told < kMostTold && condition.size() <= kLongestTold) few += (told++ == 0 ? "" : ", ") + condition;
    all += "\n  " + condition;
  }
  const size_t more = conditions.size() - told;
  const std::string rest =
      std::to_string(more) + (told == 0 ? " long condition" : " more condition") + (more > 1 ? "s" : "");
  if (more > 0) few += (told == 0 ? "" : " and ") + rest;
  return OtherSizes("torch.export made this program for sizes with " + few, more > 0 ? all : "");
}

}  // namespace onnxport::pt2
