// Walks over the elements of a tensor with their index on one axis.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_AXIS_WALK_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_AXIS_WALK_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace onnxport::passes {

// Returns the index on an axis of each element, in the order of the elements. For shape [2, 3, 4] and axis 1: 4
// elements have index 0, 4 have 1, 4 have 2, and then again 0.
class AxisWalk {
 public:
  // Begins at element `first`.
  AxisWalk(const std::vector<int64_t>& shape, size_t axis, size_t first = 0) : size_(static_cast<size_t>(shape[axis])) {
    for (size_t i = axis + 1; i < shape.size(); ++i) inner_ *= static_cast<size_t>(shape[i]);
    if (size_ == 0 || inner_ == 0) return;  // no elements
    index_ = first / inner_ % size_;
    left_ = inner_ - first % inner_;
  }

  // Calls `visit` with runs of `block` that have the same index.
  template <typename T, typename Visit>
  void Next(std::span<const T> block, const Visit& visit) {
    while (!block.empty()) {
      const size_t count = std::min(left_, block.size());
      visit(index_, block.first(count));
      block = block.subspan(count);
      left_ -= count;
      if (left_ > 0) return;
      left_ = inner_;
      index_ = (index_ + 1) % size_;
    }
  }

 private:
  size_t size_;
  size_t inner_ = 1;  // consecutive elements with the same index
  size_t index_ = 0;
  size_t left_ = 0;
};

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_AXIS_WALK_H_
