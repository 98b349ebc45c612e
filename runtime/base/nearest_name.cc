#include "runtime/base/nearest_name.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace onnxport {

// Computes the optimal string alignment. Three rows of its table are enough: the current one and the two before it. A
// swap of neighbours needs the oldest.
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> before, previous, row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    before = std::exchange(previous, row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({previous[j - 1] + (a[i - 1] != b[j - 1]), previous[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

std::string_view NearestName(std::string_view word, std::span<const std::string_view> candidates) {
  if (word.size() > kLongestName) return {};
  std::string_view best;
  size_t best_distance = word.size() / 3 + 1;
  for (std::string_view candidate : candidates) {
    const size_t gap = std::max(candidate.size(), word.size()) - std::min(candidate.size(), word.size());
    if (gap >= best_distance) continue;
    const size_t distance = EditDistance(word, candidate);
    if (distance >= best_distance) continue;
    best = candidate;
    best_distance = distance;
  }
  return best;
}

}  // namespace onnxport
