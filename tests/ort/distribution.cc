#include "tests/ort/distribution.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <vector>

#include "runtime/verify/ort/compare.h"
#include "runtime/verify/ort/elements.h"

namespace onnxport::ort {
namespace {

double LargestFinite(ir::DType dtype) {
  if (dtype == ir::DType::kFloat16) return 65504;
  return dtype == ir::DType::kFloat64 ? std::numeric_limits<double>::max() : std::numeric_limits<float>::max();
}

// Nothing when there is a NaN among them, which has no order. A draw that overflows is the largest of the dtype:
// long tails overflow halves once in a while, and that is no other distribution.
std::vector<double> Sorted(const Tensor& t) {
  const double largest = LargestFinite(t.dtype);
  std::vector<double> values(CountOf(t));
  for (size_t i = 0; i < values.size(); ++i) {
    const double value = ElementOf(t, i);
    values[i] = std::isinf(value) ? std::copysign(largest, value) : value;
  }
  if (std::ranges::any_of(values, [](double value) { return std::isnan(value); })) return {};
  std::ranges::sort(values);
  return values;
}

// The share of sorted values that are at most `limit`.
double ShareUpTo(const std::vector<double>& sorted, double limit) {
  return static_cast<double>(std::ranges::upper_bound(sorted, limit) - sorted.begin()) /
         static_cast<double>(sorted.size());
}

size_t CountDistinct(const std::vector<double>& sorted) {
  size_t count = sorted.empty() ? 0 : 1;
  for (size_t i = 1; i < sorted.size(); ++i) count += sorted[i] != sorted[i - 1] ? 1 : 0;
  return count;
}

// Draws of halves are some of few numbers: how many is the one trace that the bits of a draw leave. If there are fewer
// than a hundred numbers, chance decides how many occur.
bool SameGrid(const std::vector<double>& a, const std::vector<double>& e) {
  constexpr size_t kFew = 100;
  const auto [few, many] = std::minmax({CountDistinct(a), CountDistinct(e)});
  return many < kFew || 2 * many < 3 * few;
}

}  // namespace

std::set<double> Magnitudes(const Tensor& tensor) {
  std::set<double> magnitudes;
  for (size_t i = 0; i < CountOf(tensor); ++i) magnitudes.insert(std::fabs(ElementOf(tensor, i)));
  return magnitudes;
}

std::string DistributionDifference(const Tensor& actual, const Tensor& expected) {
  constexpr size_t kFewest = 500;  // draws, for the distance to mean something
  constexpr double kUnlikely = 3;  // of the scaled distance: 2 exp(-2 * 3^2) = 3e-8
  constexpr double kBeyond = 0.2;  // of the range, where that is one quartile distance; long tails reach further
  std::string difference = Difference(actual, expected, {}, false);
  const size_t count = CountOf(expected);
  if (!difference.empty()) return difference;
  if (count < kFewest) return std::to_string(count) + " draws say nothing; " + std::to_string(kFewest) + " do";
  const std::vector<double> a = Sorted(actual);
  const std::vector<double> e = Sorted(expected);
  if (a.empty() || e.empty()) return "a draw is NaN";
  const double range = e.back() - e.front();
  const double quartiles = e[count * 3 / 4] - e[count / 4];
  double distance = 0;
  for (const auto* values : {&a, &e}) {
    for (const double value : *values)
      distance = std::max(distance, std::fabs(ShareUpTo(a, value) - ShareUpTo(e, value)));
  }
  const double beyond = quartiles > 0 ? kBeyond * range * (range / quartiles) : range;
  if (!SameGrid(a, e))
    return TypeText(actual) + " has " + std::to_string(CountDistinct(a)) + " numbers among its draws, PyTorch's " +
           std::to_string(CountDistinct(e));
  const bool same_range = a.front() >= e.front() - beyond && a.back() <= e.back() + beyond;
  if (same_range && distance <= kUnlikely * std::sqrt(2.0 / static_cast<double>(count))) return "";
  std::ostringstream text;
  text << TypeText(actual) << " is distributed otherwise: from " << a.front() << " to " << a.back() << ", median "
       << a[count / 2] << "; PyTorch's from " << e.front() << " to " << e.back() << ", median " << e[count / 2]
       << "; distance " << distance;
  return text.str();
}

}  // namespace onnxport::ort
