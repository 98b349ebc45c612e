// Maps the elements of a view to those of a tensor.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_ELEMENT_MAP_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_ELEMENT_MAP_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "runtime/base/memory_budget.h"
#include "runtime/onnx/permutation.h"

namespace onnxport::passes {

// Element (i, j, ...) of the view is element start + a[i] + b[j] + ... of the tensor, with offsets for each axis. So a
// view of a view is again such a map: its axes may be reordered, repeated, indexed, joined and split, while it stays a
// sum. For example, the columns 0, 2, 1, 3 of a [2, 4] have the offsets {0, 4} and {0, 2, 1, 3}. No tensor is empty.
class ElementMap {
 public:
  using Numbers = std::vector<int64_t>;

  // The longest axis that may have offsets.
  static constexpr int64_t kMostOffsets = int64_t{1} << 20;

  // Maps a tensor to itself. Its axes must not be longer.
  explicit ElementMap(const Numbers& shape);

  Numbers Shape() const;
  // The place of the element at these indices.
  int64_t Place(std::span<const int64_t> indices) const;
  // The offsets of the indices of an axis. Empty: all are 0.
  const Numbers& offsets(size_t axis) const { return axes_[axis].offsets(); }
  // The places of the neighbours along the last axis, for given indices on the others.
  class Row {
   public:
    // True if all indices have the same place.
    bool is_one() const { return offsets_.empty(); }
    int64_t operator[](int64_t index) const {
      return is_one() ? begin_ : begin_ + offsets_[static_cast<size_t>(index)];
    }

   private:
    friend class ElementMap;
    Row(int64_t begin, const Numbers& offsets) : begin_(begin), offsets_(offsets) {}

    int64_t begin_;
    const Numbers& offsets_;  // belongs to the map
  };
  Row RowAt(std::span<const int64_t> outer) const { return {Place(outer), offsets(outer.size())}; }
  // The largest n such that, along the axis from the first index, each group of n neighbours has the same element. It
  // is 32 for the scales of groups of 32. If nothing changes along the axis, it is the size of the axis.
  int64_t RunAlong(size_t axis) const;

  // Make views of this view. `perm`: axis i of the result is axis perm[i].
  void Transpose(const onnx_ops::Perm& perm);
  // Index i of the axis becomes index indices[i], which is in range.
  void Take(size_t axis, std::span<const int64_t> indices);
  // False if the shape does not fit, or the result is no such map. Ask nothing more then.
  bool Broadcast(const Numbers& shape);
  bool Reshape(const Numbers& shape);

 private:
  // Views share unchanged offsets.
  struct Offsets {
    Numbers numbers;
    Charge held;
  };
  struct Axis {
    const Numbers& offsets() const;
    int64_t size = 1;
    std::shared_ptr<const Offsets> shared = {};  // null: none
  };

  static Axis Share(Numbers offsets);

  // Makes an axis with these offsets; the first one is added to `start_`.
  Axis MakeAxis(Numbers offsets);
  // Joins axes [begin, end) to one.
  Axis Joined(size_t begin, size_t end) const;
  // Splits an axis into axes of these sizes, which are added to `axes`.
  bool Cut(const Axis& joined, std::span<const int64_t> sizes, std::vector<Axis>* axes);

  int64_t start_ = 0;
  std::vector<Axis> axes_;
};

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_ELEMENT_MAP_H_
