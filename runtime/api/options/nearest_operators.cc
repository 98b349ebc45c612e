#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "onnxport/operators.h"
#include "runtime/base/nearest_name.h"

namespace onnxport {
namespace {

constexpr size_t kMostSuggestions = 5;

// "aten::add.Tensor" -> "aten::add"
std::string_view WithoutOverload(std::string_view name) { return name.substr(0, name.find('.')); }

// "aten::add.Tensor" -> "add.Tensor"
std::string_view WithoutNamespace(std::string_view name) {
  const size_t colons = name.find("::");
  return colons == std::string_view::npos ? name : name.substr(colons + 2);
}

}  // namespace

std::vector<std::string_view> NearestOperators(std::string_view wanted, const std::vector<OperatorSupport>& operators) {
  wanted = WithoutNamespace(wanted);
  if (wanted.size() > kLongestName) return {};
  // "reul" may be two letters off, "softmaxx" three; more is another word.
  const size_t most = wanted.size() / 3 + 1;
  std::set<std::pair<size_t, std::string_view>> found;
  for (const OperatorSupport& row : operators) {
    const std::string_view name = WithoutNamespace(row.name);
    // With and without the overload, as users write both: "add.Tensr" means add.Tensor, "ad" means add.
    const size_t distance = std::min(EditDistance(wanted, WithoutOverload(name)), EditDistance(wanted, name));
    if (distance <= most) found.emplace(distance, WithoutOverload(row.name));
  }
  std::vector<std::string_view> names;
  for (const auto& [distance, name] : found) {
    const bool is_new = std::ranges::find(names, name) == names.end();
    if (is_new && names.size() < kMostSuggestions) names.push_back(name);
  }
  return names;
}

}  // namespace onnxport
