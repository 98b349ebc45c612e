#include "runtime/archive/strided.h"

#include <algorithm>
#include <cstring>

namespace onnxport::archive {
namespace {

constexpr uint64_t kPage = 4096;   // smaller reads are no faster
constexpr uint64_t kMostSpan = 4;  // most bytes to read for each byte that is needed

// The elements are cut into boxes. First the boxes follow the order of the output, until a box fits a buffer. Then each
// box is cut in the order of the storage, until a read brings few elements that nobody needs.
//
// Example: a weight of 65536 x 1024 that was saved transposed, with strides [1, 65536]. `Emit` takes as many rows of
// the output as fit 16 MiB, 4096. In the storage these are 1024 runs of 4096 elements, far apart. `Fill` halves the box
// along the widest axis until each part is one run, and reads that.
class Gatherer {
 public:
  Gatherer(const StridedView& view, uint64_t most, const std::function<void(uint64_t, std::span<std::byte>)>& read,
           const std::function<void(std::span<const std::byte>)>& sink)
      : view_(view), most_(std::max(most, view.item)), read_(read), sink_(sink), steps_(view.shape.size()) {}

  void Run() { Emit({view_.shape, view_.first, 0}); }

 private:
  struct Box {
    std::vector<int64_t> extent;
    uint64_t from = 0;  // an element of the storage
    uint64_t to = 0;    // an element of the output buffer
  };

  static uint64_t Elements(const Box& box) {
    uint64_t count = 1;
    for (const int64_t extent : box.extent) count *= static_cast<uint64_t>(extent);
    return count;
  }

  uint64_t Reach(const Box& box, size_t axis) const {
    return static_cast<uint64_t>(view_.strides[axis]) * static_cast<uint64_t>(box.extent[axis] - 1);
  }

  // Returns the part [begin, begin + count) of one axis.
  Box Part(const Box& box, size_t axis, int64_t begin, int64_t count) const {
    Box part = box;
    part.extent[axis] = count;
    part.from += static_cast<uint64_t>(begin) * static_cast<uint64_t>(view_.strides[axis]);
    part.to += static_cast<uint64_t>(begin) * steps_[axis];
    return part;
  }

  // Emits `box`, which comes next in the output.
  void Emit(Box box) {
    const uint64_t count = Elements(box);
    if (count <= most_ / view_.item) {
      // The box fills the output buffer from the start, no matter from which larger box it was cut.
      uint64_t step = 1;
      for (size_t axis = steps_.size(); axis-- > 0; step *= static_cast<uint64_t>(box.extent[axis]))
        steps_[axis] = step;
      out_.resize(count * view_.item);
      box.to = 0;
      Fill(box);
      return sink_(out_);
    }
    size_t axis = 0;
    while (box.extent[axis] == 1) ++axis;
    const int64_t extent = box.extent[axis];
    const uint64_t one = count / static_cast<uint64_t>(extent);
    const auto fit = static_cast<int64_t>(std::max<uint64_t>(most_ / view_.item / one, 1));
    for (int64_t at = 0; at < extent; at += fit) Emit(Part(box, axis, at, std::min(fit, extent - at)));
  }

  void Fill(const Box& box) {
    uint64_t span = 1;
    size_t widest = 0;
    for (size_t axis = 0; axis < box.extent.size(); ++axis) {
      span += Reach(box, axis);
      if (Reach(box, axis) > Reach(box, widest)) widest = axis;
    }
    // A sparse box is also read at once if it is smaller than a page, since the system reads a whole page anyway. The
    // recursion ends, because a box of one element has span 1.
    const bool dense = span * view_.item <= kPage || span / kMostSpan <= Elements(box);
    if (span == 1 || (dense && span <= most_ / view_.item)) return Copy(box, span);
    const int64_t half = box.extent[widest] / 2;
    Fill(Part(box, widest, 0, half));
    Fill(Part(box, widest, half, box.extent[widest] - half));
  }

  void Copy(const Box& box, uint64_t span) {
    in_.resize(span * view_.item);
    read_(box.from * view_.item, in_);
    switch (view_.item) {
      case 1:
        return CopyItems<1>(box);
      case 2:
        return CopyItems<2>(box);
      case 4:
        return CopyItems<4>(box);
      case 8:
        return CopyItems<8>(box);
      default:
        return CopyItems<16>(box);
    }
  }

  // Copies rows along the longest axis, one for each index of the others.
  template <size_t kItem>
  void CopyItems(const Box& box) {
    const std::vector<int64_t>& extent = box.extent;
    const auto row = static_cast<size_t>(std::ranges::max_element(extent) - extent.begin());
    const uint64_t from_step = extent.empty() ? 0 : static_cast<uint64_t>(view_.strides[row]);
    const uint64_t to_step = extent.empty() ? 0 : steps_[row];
    const int64_t length = extent.empty() ? 1 : extent[row];
    std::vector<int64_t> index(extent.size());
    uint64_t from = 0;
    uint64_t to = box.to;
    while (true) {
      for (int64_t i = 0; i < length; ++i) {
        const auto k = static_cast<uint64_t>(i);
        std::memcpy(&out_[(to + k * to_step) * kItem], &in_[(from + k * from_step) * kItem], kItem);
      }
      // Count like an odometer: the last axis turns first. An axis that is through goes back to 0 and carries to the
      // axis before it.
      size_t axis = extent.size();
      while (axis-- > 0) {
        if (axis == row) continue;
        from += static_cast<uint64_t>(view_.strides[axis]);
        to += steps_[axis];
        if (++index[axis] < extent[axis]) break;
        from -= static_cast<uint64_t>(view_.strides[axis]) * static_cast<uint64_t>(extent[axis]);
        to -= steps_[axis] * static_cast<uint64_t>(extent[axis]);
        index[axis] = 0;
      }
      if (axis == static_cast<size_t>(-1)) return;
    }
  }

  const StridedView& view_;
  const uint64_t most_;
  const std::function<void(uint64_t, std::span<std::byte>)>& read_;
  const std::function<void(std::span<const std::byte>)>& sink_;
  std::vector<uint64_t> steps_;  // strides of the output buffer, in elements
  std::vector<std::byte> out_;
  std::vector<std::byte> in_;
};

}  // namespace

void StreamInOrder(const StridedView& view, uint64_t most,
                   const std::function<void(uint64_t begin, std::span<std::byte> out)>& read,
                   const std::function<void(std::span<const std::byte>)>& sink) {
  Gatherer(view, most, read, sink).Run();
}

}  // namespace onnxport::archive
