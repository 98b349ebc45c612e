// Where the elements of a tensor are on one of its axes.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_AXIS_WALK_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_AXIS_WALK_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace onnxport::passes {

// Which index of an axis the next element has, as elements are walked over in their order.
// For shape [2, 3, 4] and axis 1: 4 elements of index 0, 4 of 1, 4 of 2, and again from 0.
class AxisWalk {
 public:
  // From that element on.
  AxisWalk(const std::vector<int64_t>& shape, size_t axis, size_t first = 0) : size_(static_cast<size_t>(shape[axis])) {
    for (size_t i = axis + 1; i < shape.size(); ++i) inner_ *= static_cast<size_t>(shape[i]);
    if (size_ == 0 || inner_ == 0) return;  // no elements to walk over
    index_ = first / inner_ % size_;
    left_ = inner_ - first % inner_;
  }

  // Calls `visit` with runs of `block` that have one index.
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
  size_t inner_ = 1;  // elements in a row that have one index
  size_t index_ = 0;
  size_t left_ = 0;
};

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_AXIS_WALK_H_
