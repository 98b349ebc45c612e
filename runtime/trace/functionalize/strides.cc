#include "runtime/trace/functionalize/strides.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
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

// Takes sizes from the end of `shape` (up to *left) whose product is `elements`. Nothing when symbols leave it open.
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

// Without gaps, `axes` from the innermost to the outermost.
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

}  // namespace

std::optional<bool> RowMajor(const ir::Graph& graph, const ir::Value& tensor) {
  if (!HasStrides(tensor)) return std::nullopt;
  std::vector<size_t> axes(tensor.dims->size());
  std::iota(axes.rbegin(), axes.rend(), size_t{0});
  return Empty(*tensor.dims) ? true : IsDense(graph, tensor, axes);
}

std::optional<bool> IsContiguous(const ir::Graph& graph, const ir::Value& tensor, MemoryFormat format) {
  if (format == MemoryFormat::kContiguous) return RowMajor(graph, tensor);
  const std::vector<size_t> axes = format == MemoryFormat::kChannelsLast ? std::vector<size_t>{1, 3, 2, 0}  //
                                                                         : std::vector<size_t>{1, 4, 3, 2, 0};
  if (tensor.dims && tensor.dims->size() != axes.size()) return false;
  if (!HasStrides(tensor) || Empty(*tensor.dims)) return std::nullopt;
  return IsDense(graph, tensor, axes);
}

// Runs of dimensions that are dense in memory must be covered exactly by runs of the new sizes.
std::optional<bool> CanView(const ir::Graph& graph, const ir::Value& tensor, const ir::Value& shape) {
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
