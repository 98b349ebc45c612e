// A tensor with its axes in another order, put in that order while it is read.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_TRANSPOSED_TENSOR_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_TRANSPOSED_TENSOR_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// The limits of a transposition.
struct TransposeLimits {
  int64_t held = int64_t{32} << 20;  // bytes of each of two buffers, at most: so long may a row be
  int64_t readings = 32;             // of the whole source, if each gave as much of the result
};

// Axis i of the result is axis perm[i] of `source`, a permutation. Null when the limits do not allow it, when the dtype
// has no whole bytes, and for a permutation that is more than exchanging two runs of neighbouring axes.
std::shared_ptr<const ir::TensorData> TransposedTensor(const std::shared_ptr<const ir::TensorData>& source,
                                                       const std::vector<int64_t>& perm,
                                                       const TransposeLimits& limits = {});

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_TRANSPOSED_TENSOR_H_
