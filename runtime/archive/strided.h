// Reads tensors with strides in row-major order.
#ifndef ONNXPORT_RUNTIME_ARCHIVE_STRIDED_H_
#define ONNXPORT_RUNTIME_ARCHIVE_STRIDED_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace onnxport::archive {

// All numbers but `item` count elements. There are as many strides as sizes; strides are not negative, and no axis is
// empty.
struct StridedView {
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
  uint64_t first = 0;  // an element of the storage
  uint64_t item = 1;   // bytes per element
};

// Passes the elements to `sink` in row-major order, in pieces. `read` fills `out` with the storage's bytes, beginning
// at byte `begin`. Needs two buffers of at most `most` bytes, whatever the size of the tensor.
void StreamInOrder(const StridedView& view, uint64_t most,
                   const std::function<void(uint64_t begin, std::span<std::byte> out)>& read,
                   const std::function<void(std::span<const std::byte>)>& sink);

}  // namespace onnxport::archive

#endif  // ONNXPORT_RUNTIME_ARCHIVE_STRIDED_H_
