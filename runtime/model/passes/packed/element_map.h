// Where the elements of a view lie in a tensor.
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

// Element (i, j, ...) of the view is element start + a[i] + b[j] + ... of the tensor, with numbers for each axis. So
// views can be taken of views: their axes in another order, repeated, picked from, joined, and cut apart as long as it
// stays a sum. Example: the columns 0, 2, 1, 3 of a [2, 4] are {0, 4} and {0, 2, 1, 3}. None of the tensors is empty.
class ElementMap {
 public:
  using Numbers = std::vector<int64_t>;

  // The longest axis that has offsets.
  static constexpr int64_t kMostOffsets = int64_t{1} << 20;

  // Maps a tensor to itself, whose axes are no longer.
  explicit ElementMap(const Numbers& shape);

  Numbers Shape() const;
  // The place of the element at these indices.
  int64_t Place(std::span<const int64_t> indices) const;
  // The numbers that the indices of an axis add to the place. Empty: none adds anything.
  const Numbers& offsets(size_t axis) const { return axes_[axis].offsets(); }
  // The places of the neighbours along the last axis, at these indices of the others.
  class Row {
   public:
    // True if it is one place, whatever the index.
    bool is_one() const { return offsets_.empty(); }
    int64_t operator[](int64_t index) const {
      return is_one() ? begin_ : begin_ + offsets_[static_cast<size_t>(index)];
    }

   private:
    friend class ElementMap;
    Row(int64_t begin, const Numbers& offsets) : begin_(begin), offsets_(offsets) {}

    int64_t begin_;
    const Numbers& offsets_;  // of the map
  };
  Row RowAt(std::span<const int64_t> outer) const { return {Place(outer), offsets(outer.size())}; }
  // The largest number n such that each n neighbours along the axis, counted from the first, have one element. It is 32
  // for the scales of groups of 32; the size of an axis along which nothing changes.
  int64_t RunAlong(size_t axis) const;

  // Views of this view. `perm`: axis i of the result is axis perm[i].
  void Transpose(const onnx_ops::Perm& perm);
  // Index i of the axis becomes index indices[i], which is in range.
  void Take(size_t axis, std::span<const int64_t> indices);
  // False when the shape does not fit, or when the result is no such map: nothing may be asked then.
  bool Broadcast(const Numbers& shape);
  bool Reshape(const Numbers& shape);

 private:
  // Views share what they do not change.
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

  // An axis of these offsets, the first of which becomes part of `start_`.
  Axis MakeAxis(Numbers offsets);
  // Joins axes [begin, end) to one.
  Axis Joined(size_t begin, size_t end) const;
  // Cuts one axis into axes of these sizes, added to `axes`.
  bool Cut(const Axis& joined, std::span<const int64_t> sizes, std::vector<Axis>* axes);

  int64_t start_ = 0;
  std::vector<Axis> axes_;
};

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_ELEMENT_MAP_H_
