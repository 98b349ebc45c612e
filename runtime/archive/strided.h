// Tensors with strides, put in order while they are read.
#ifndef ONNXPORT_RUNTIME_ARCHIVE_STRIDED_H_
#define ONNXPORT_RUNTIME_ARCHIVE_STRIDED_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace onnxport::archive {

// All figures but `item` are in elements; shape and strides are of one length, strides not negative, no axis empty.
struct StridedView {
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
  uint64_t first = 0;  // element of the storage
  uint64_t item = 1;   // bytes of an element
};

// Hands out the elements in row-major order, in pieces. `read` fills `out` with the bytes of the storage from `begin`
// on. Holds two buffers of at most `most` bytes, whatever the size of the tensor.
void StreamInOrder(const StridedView& view, uint64_t most,
                   const std::function<void(uint64_t begin, std::span<std::byte> out)>& read,
                   const std::function<void(std::span<const std::byte>)>& sink);

}  // namespace onnxport::archive

#endif  // ONNXPORT_RUNTIME_ARCHIVE_STRIDED_H_
