#include "runtime/cli/nearest_operators.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace onnxport::cli {
namespace {

constexpr size_t kMostSuggestions = 5;

// Edits that turn one text into the other (Levenshtein).
size_t Distance(std::string_view a, std::string_view b) {
  // One row of the table at a time: row[j] is the distance between the first i letters of `a` and the first j of `b`,
  // `diagonal` what row[j] was for one letter less.
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0]++;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string_view BaseName(std::string_view name) { return name.substr(0, name.find('.')); }

std::string_view WithoutNamespace(std::string_view name) {
  const size_t colons = name.find("::");
  return colons == std::string_view::npos ? name : name.substr(colons + 2);
}

std::vector<std::string_view> NearestOperators(std::string_view wanted, const std::vector<OperatorSupport>& operators) {
  wanted = WithoutNamespace(wanted);
  // "reul" may be two letters off, "softmaxx" three; more is another word.
  const size_t most = wanted.size() / 3 + 1;
  std::set<std::pair<size_t, std::string_view>> found;
  for (const OperatorSupport& row : operators) {
    const std::string_view name = WithoutNamespace(row.name);
    // With and without the overload, as users write both: "add.Tensr" means add.Tensor, "ad" means add.
    const size_t distance = std::min(Distance(wanted, BaseName(name)), Distance(wanted, name));
    if (distance <= most) found.emplace(distance, BaseName(row.name));
  }
  std::vector<std::string_view> names;
  for (const auto& [distance, name] : found) {
    const bool is_new = std::ranges::find(names, name) == names.end();
    if (is_new && names.size() < kMostSuggestions) names.push_back(name);
  }
  return names;
}

}  // namespace onnxport::cli
