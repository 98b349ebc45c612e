// Transposes a tensor while it is read.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_TRANSPOSED_TENSOR_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_TRANSPOSED_TENSOR_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// The limits of a transposition.
struct TransposeLimits {
  int64_t held = int64_t{32} << 20;  // bytes of each of two buffers, at most; a row may be as long
  int64_t readings = 32;             // most readings of the whole source, if each gives an equal part of the result
};

// Axis i of the result is axis perm[i] of `source`. Null if the limits do not allow it, if the dtype has no whole
// bytes, and for a permutation other than an exchange of two runs of neighbouring axes.
std::shared_ptr<const ir::TensorData> TransposedTensor(const std::shared_ptr<const ir::TensorData>& source,
                                                       const std::vector<int64_t>& perm,
                                                       const TransposeLimits& limits = {});

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_TRANSPOSED_TENSOR_H_
