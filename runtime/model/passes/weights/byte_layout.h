// Describes a tensor as byte ranges of others, in row-major order.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_BYTE_LAYOUT_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_BYTE_LAYOUT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

struct ByteRange {
  size_t source = 0;  // index in the caller's list of tensors
  int64_t begin = 0;
  int64_t size = 0;
};

struct ByteLayout {
  ir::DType dtype = ir::DType::kUndefined;
  std::vector<int64_t> shape;
  std::vector<ByteRange> ranges;
};

// The whole of a tensor.
ByteLayout WholeTensor(size_t source, const ir::TensorData& data);
// Indices [begin, end) of an axis, all within the shape. Nothing if that takes too many ranges.
std::optional<ByteLayout> SliceLayout(const ByteLayout& layout, size_t axis, int64_t begin, int64_t end);
// For parts with the same dtype, rank >= 1, and equal sizes off the axis. Nothing if that takes too many ranges.
std::optional<ByteLayout> ConcatLayouts(const std::vector<const ByteLayout*>& parts, size_t axis);

// The tensor with this layout. It is read from its sources whenever it is streamed.
std::shared_ptr<const ir::TensorData> AssembleTensor(const ByteLayout& layout,
                                                     const std::vector<std::shared_ptr<const ir::TensorData>>& sources);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_BYTE_LAYOUT_H_
