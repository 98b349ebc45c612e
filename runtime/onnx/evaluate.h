// Computes one ONNX node on known tensors.
#ifndef ONNXPORT_RUNTIME_ONNX_EVALUATE_H_
#define ONNXPORT_RUNTIME_ONNX_EVALUATE_H_

#include <optional>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/onnx/known_tensor.h"

namespace onnxport::onnx_ops {

// The node's only output; nothing when
//  - the operator is none of those known here, or
//  - an input is not known (`inputs` has a null for it; Shape and Size do with the input's dimensions), or
//  - the result is too large (kMostElements), no foldable dtype, or one on which runtimes differ (a rounded negative
//    quotient, a division by zero, an index out of range, NaN, sums whose order is theirs).
// It is exactly what every runtime computes, but for cosines and the like of float32, which are the nearest number
// where runtimes are off by a unit or two of the last place.
std::optional<KnownTensor> Evaluate(const ir::Graph& graph, const ir::Node& node,
                                    const std::vector<const KnownTensor*>& inputs);

}  // namespace onnxport::onnx_ops

#endif  // ONNXPORT_RUNTIME_ONNX_EVALUATE_H_
