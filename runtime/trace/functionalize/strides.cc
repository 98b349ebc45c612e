#include "runtime/trace/functionalize/strides.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace onnxport::functionalize {
namespace {

using ir::Dim;
using ir::Dims;

class Contiguity {
 public:
  explicit Contiguity(const ir::Graph& graph) : ranges_(graph.ranges) {}

  std::optional<bool> Equal(const Dim& a, const Dim& b) const {
    if (a == b) return true;
    if (a.is_number() && b.is_number()) return false;
    const ir::Range bounds = Difference(a, b);
    if ((bounds.min && *bounds.min > 0) || (bounds.max && *bounds.max < 0)) return false;
    return std::nullopt;
  }

  // Known to be.
  bool AtLeast(const Dim& a, const Dim& b) const {
    if (a == b) return true;
    if (a.is_number() && b.is_number()) return a.number() >= b.number();
    const ir::Range bounds = Difference(a, b);
    return bounds.min && *bounds.min >= 0;
  }

 private:
  ir::Range Difference(const Dim& a, const Dim& b) const {
    const Dim difference = a - b;
    ir::Ranges ranges;
    for (const std::string& symbol : difference.symbols()) {
      const auto found = ranges_.find(symbol);
      if (found == ranges_.end()) continue;
      ranges.emplace(symbol, ir::Range{std::max<int64_t>(found->second.min.value_or(1), 1), found->second.max});
    }
    return difference.Bounds(ranges);
  }

  const ir::Ranges& ranges_;
};

// Takes sizes from the end of `shape` (up to *left) whose product is `elements`. Returns nothing if symbols leave it
// open.
std::optional<bool> Cover(const Contiguity& layout, const Dims& shape, const Dim& elements, size_t* left) {
  Dim covered = 1;
  bool certain = true;
  while (true) {
    const auto equal = layout.Equal(covered, elements);
    if (equal && *equal) break;
    certain = certain && equal.has_value();
    if (*left == 0) return certain ? std::optional(false) : std::nullopt;
    covered = covered * shape[--*left];
  }
  while (*left > 0 && shape[*left - 1] == Dim(1)) --*left;
  return true;
}

bool Empty(const Dims& sizes) {
  return std::any_of(sizes.begin(), sizes.end(), [](const Dim& d) { return d == Dim(0); });
}

bool HasStrides(const ir::Value& tensor) {
  return tensor.dims && tensor.strides && tensor.dims->size() == tensor.strides->size();
}

// Returns true if there are no gaps, with `axes` from the innermost to the outermost.
std::optional<bool> IsDense(const ir::Graph& graph, const ir::Value& tensor, const std::vector<size_t>& axes) {
  const Contiguity layout(graph);
  Dim expected = 1;
  bool certain = true;
  for (size_t i = 0; i < axes.size(); ++i) {
    const size_t axis = axes[i];
    if (i > 0) expected = expected * (*tensor.dims)[axes[i - 1]];
    const auto in_place = layout.Equal((*tensor.strides)[axis], expected);
    if (in_place == true) continue;
    const auto one = layout.Equal((*tensor.dims)[axis], 1);
    if (one == false && in_place == false) return false;
    certain = certain && one == true;
  }
  return certain ? std::optional(true) : std::nullopt;
}

// Returns the axes from the innermost to the outermost, for images or volumes whose channels are the innermost.
std::vector<size_t> ChannelsLast(size_t rank) {
  return rank == 4 ? std::vector<size_t>{1, 3, 2, 0} : std::vector<size_t>{1, 4, 3, 2, 0};
}

// An axis with more than one element.
struct Axis {
  Dim size;
  Dim stride;
};

// Returns true if the stride of each axis is larger than the reach of all axes with smaller strides.
bool Apart(const Contiguity& layout, std::vector<Axis> axes) {
  Dim reached = 1;
  while (!axes.empty()) {
    const auto least = std::ranges::find_if(axes, [&](const Axis& axis) {
      return std::ranges::all_of(axes, [&](const Axis& other) { return layout.AtLeast(other.stride, axis.stride); });
    });
    if (least == axes.end() || !layout.AtLeast(least->stride, reached)) return false;
    reached = reached + (least->size - 1) * least->stride;
    axes.erase(least);
  }
  return true;
}

// Checks each place; returns nothing if there are too many.
std::optional<bool> SomePlaceIsTwice(const std::vector<Axis>& axes) {
  constexpr size_t kMostPlaces = size_t{1} << 20;
  std::vector<int64_t> places = {0};
  for (const Axis& axis : axes) {
    if (static_cast<size_t>(axis.size.number()) > kMostPlaces / places.size()) return std::nullopt;
    const size_t before = places.size();
    for (int64_t i = 1; i < axis.size.number(); ++i) {
      for (size_t k = 0; k < before; ++k) places.push_back((Dim(places[k]) + Dim(i) * axis.stride).number());
    }
  }
  std::ranges::sort(places);
  return std::ranges::adjacent_find(places) != places.end();
}

}  // namespace

std::optional<bool> RowMajor(const ir::Graph& graph, const ir::Value& tensor) {
  if (!HasStrides(tensor)) return std::nullopt;
  std::vector<size_t> axes(tensor.dims->size());
  std::iota(axes.rbegin(), axes.rend(), size_t{0});
  return Empty(*tensor.dims) ? true : IsDense(graph, tensor, axes);
}

std::optional<bool> IsContiguous(const ir::Graph& graph, const ir::Value& tensor, MemoryFormat format) {
  if (format == MemoryFormat::kContiguous) return RowMajor(graph, tensor);
  const std::vector<size_t> axes = ChannelsLast(format == MemoryFormat::kChannelsLast ? 4 : 5);
  if (tensor.dims && tensor.dims->size() != axes.size()) return false;
  if (!HasStrides(tensor) || Empty(*tensor.dims)) return std::nullopt;
  return IsDense(graph, tensor, axes);
}

std::optional<bool> LikeChannelsLast(const ir::Value& tensor) {
  if (!tensor.dims) return std::nullopt;
  const size_t rank = tensor.dims->size();
  if (rank != 4 && rank != 5) return false;
  if (!HasStrides(tensor)) return std::nullopt;
  int64_t least = 0;
  for (const size_t axis : ChannelsLast(rank)) {
    const Dim& size = (*tensor.dims)[axis];
    const Dim& stride = (*tensor.strides)[axis];
    if (!size.is_number() || !stride.is_number()) return std::nullopt;
    if (size.number() == 0 || stride.number() < least) return false;
    // A single image with one channel has both orders, and counts as contiguous. So does a tensor that repeats a
    // channel.
    if (axis == 0 && Dim(least) == (*tensor.strides)[1]) return false;
    if (axis == 1 && stride.number() == 0) return false;
    least = (stride * std::max<int64_t>(size.number(), 1)).number();
  }
  return true;
}

std::optional<bool> Overlaps(const ir::Graph& graph, const Dims& sizes, const Dims& strides) {
  if (sizes.size() != strides.size() || !ir::AllKnown(sizes) || !ir::AllKnown(strides)) return std::nullopt;
  if (Empty(sizes)) return false;
  const Contiguity layout(graph);
  std::vector<Axis> axes;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (!(sizes[i] == Dim(1))) axes.push_back({sizes[i], strides[i]});
  }
  const auto more_than_one = [&](const Axis& axis) { return layout.AtLeast(axis.size, 2); };
  if (std::ranges::any_of(axes, [&](const Axis& a) { return a.stride == Dim(0) && more_than_one(a); })) return true;
  if (Apart(layout, axes)) return false;
  const bool numbers =
      std::ranges::all_of(axes, [](const Axis& axis) { return axis.size.is_number() && axis.stride.is_number(); });
  return numbers ? SomePlaceIsTwice(axes) : std::nullopt;
}

// Runs of dimensions that are dense in memory must be covered exactly by runs of the new sizes.
std::optional<bool> CanView(const ir::Graph& graph, const ir::Value& tensor, const ir::Value& shape) {
  if (tensor.dims && shape.dims && *tensor.dims == *shape.dims) return true;
  if (!tensor.dims || !tensor.strides || !shape.dims || tensor.dims->size() != tensor.strides->size())
    return std::nullopt;
  const Dims& sizes = *tensor.dims;
  const Dims& strides = *tensor.strides;
  if (sizes.empty() || Empty(sizes)) return true;
  const Contiguity layout(graph);
  size_t left = shape.dims->size();  // new sizes not yet covered
  Dim run = strides.back();          // stride of the run's innermost dimension
  Dim elements = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    elements = elements * sizes[i];
    if (i > 0) {
      const auto one = layout.Equal(sizes[i - 1], 1);
      const auto dense = layout.Equal(strides[i - 1], elements * run);
      if ((one && *one) || (dense && *dense)) continue;
      if (!one || !dense) return std::nullopt;
    }
    const auto covers = Cover(layout, *shape.dims, elements, &left);
    if (!covers || !*covers) return covers;
    if (i > 0) run = strides[i - 1];
    elements = 1;
  }
  return left == 0;
}

}  // namespace onnxport::functionalize
