// Counts the elements of tensors.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_TENSOR_SIZE_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_TENSOR_SIZE_H_

#include <cstdint>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/ir/packed_dtype.h"

namespace onnxport::passes {

// Returns the largest int64 if there are more.
inline int64_t CountOf(const std::vector<int64_t>& shape) {
  int64_t count = 1;
  for (const int64_t size : shape) {
    if (__builtin_mul_overflow(count, size, &count)) return INT64_MAX;
  }
  return count;
}

inline int64_t BytesIn(const ir::TensorData& data) { return ir::StoredBytes(data.dtype, CountOf(data.shape)); }

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_TENSOR_SIZE_H_
