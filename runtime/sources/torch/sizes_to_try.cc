// Chooses the sizes for the runs of a program.
#include <algorithm>
#include <array>
#include <cstdint>

#include "runtime/sources/torch/examples.h"

namespace onnxport::torch_export {
namespace {

// The change of an axis in a run: so many halves of the example's size, plus a constant; another row for each axis.
// Remainders by small divisors differ from run to run, and so do large quotients.
struct Change {
  int64_t halves;
  int64_t more;
};
constexpr std::array<std::array<Change, kMostRuns>, 3> kChanges = {{
    {{{1, 0}, {2, 3}, {3, 2}, {1, 5}, {4, 1}, {3, 7}, {2, 10}, {1, 8}, {4, 6}, {2, 13}}},
    {{{3, 0}, {1, 0}, {2, 1}, {4, 3}, {2, 6}, {2, 11}, {3, 9}, {4, 8}, {1, 10}, {3, 14}}},
    {{{2, 2}, {4, 0}, {1, 0}, {3, 5}, {2, 7}, {3, 10}, {1, 9}, {2, 13}, {4, 11}, {1, 12}}},
}};

// A program may reject sizes below some size, or above it.
enum class Side : uint8_t { kBoth, kAbove, kBelow };

// The size of axis number `axis`, in units. It differs in each run and from the example's.
int64_t UnitsOf(int64_t example, size_t axis, int run, Side side) {
  // Counted from the first run each time: a size depends on those of earlier runs, and nothing is stored.
  std::vector<int64_t> before = {example};
  for (int i = 0;; ++i) {
    const auto [halves, more] = kChanges[axis % kChanges.size()][static_cast<size_t>(i)];
    const auto further = static_cast<int64_t>(axis / kChanges.size()) * (i + 1);
    const int64_t times = side == Side::kAbove ? std::max<int64_t>(halves, 2) : halves;
    int64_t units = std::max<int64_t>(2, example * times / 2 + more + further);
    if (side == Side::kBelow) units = std::max<int64_t>(2, example - halves - more - further);
    while (std::ranges::find(before, units) != before.end()) ++units;
    if (i == run) return units;
    before.push_back(units);
  }
}

// Returns the size, or another one in the range.
int64_t Within(const ir::Range& range, int64_t size) {
  const int64_t min = range.min.value_or(2);
  if (size < min) size = min + size;
  return range.max && size > *range.max ? min + (size - min) % (*range.max - min + 1) : size;
}

// Sets all axes with a range to one of its bounds, the largest first.
void BoundsIn(const ir::Ranges& ranges, int run, Sizes* sizes) {
  for (auto& [name, size] : *sizes) {
    const auto range = ranges.find(name);
    if (range == ranges.end()) continue;
    const auto bound = run == 0 ? range->second.max : range->second.min;
    if (bound && *bound <= kLargestBound) size = *bound;
  }
}

Sizes SizesOfRun(const Sizes& examples, const ir::Ranges& ranges, int run, int64_t unit, Side side) {
  Sizes sizes;
  size_t axis = 0;
  for (const auto& [name, example] : examples) {
    int64_t size = UnitsOf((example + unit - 1) / unit, axis++, run, side) * unit;
    const auto range = ranges.find(name);
    if (range != ranges.end()) size = Within(range->second, size);
    // Axes with different names must have different sizes, to be distinguished.
    const auto taken = [&size](const auto& other) { return other.second == size; };
    while (range == ranges.end() && std::ranges::any_of(sizes, taken)) size += unit;
    sizes[name] = size;
  }
  return sizes;
}

}  // namespace

std::vector<Sizes> SizesToTry(const Sizes& examples, const ir::Ranges& ranges, int run) {
  std::vector<Sizes> tries;
  const auto add = [&tries](Sizes sizes) {
    if (std::ranges::find(tries, sizes) == tries.end()) tries.push_back(std::move(sizes));
  };
  for (const Side side : {Side::kBoth, Side::kAbove, Side::kBelow}) {
    // A program may only accept multiples of some number.
    for (const int64_t unit : {1, 2, 4, 8, 16, 32, 3, 5, 7}) {
      Sizes sizes = SizesOfRun(examples, ranges, run, unit, side);
      if (tries.empty() && run < 2) BoundsIn(ranges, run, &sizes);
      add(std::move(sizes));
    }
  }
  return tries;
}

}  // namespace onnxport::torch_export
