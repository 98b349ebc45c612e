// A tensor as byte ranges of others, in row-major order.
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
  size_t source = 0;  // index into a list of tensors that the caller keeps
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
// [begin, end) of an axis, all within the shape. Nothing when it falls into too many ranges.
std::optional<ByteLayout> SliceLayout(const ByteLayout& layout, size_t axis, int64_t begin, int64_t end);
// Same dtype, rank >= 1, and sizes off the axis. Nothing when it falls into too many ranges.
std::optional<ByteLayout> ConcatLayouts(const std::vector<const ByteLayout*>& parts, size_t axis);

// The tensor that the layout says, read from its sources whenever it is streamed.
std::shared_ptr<const ir::TensorData> AssembleTensor(const ByteLayout& layout,
                                                     const std::vector<std::shared_ptr<const ir::TensorData>>& sources);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_BYTE_LAYOUT_H_
