// Computes one ONNX node on known tensors.
#ifndef ONNXPORT_RUNTIME_ONNX_EVALUATE_H_
#define ONNXPORT_RUNTIME_ONNX_EVALUATE_H_

#include <optional>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/onnx/known_tensor.h"

namespace onnxport::onnx_ops {

// Evaluates the node's only output. Returns nothing when
// - the operator is none of those known here, or
// - an input is not known (`inputs` has a null for it; Shape and Size do with the input's dimensions), or
// - the result is too large (kMostElements) or has no foldable dtype, or
// - runtimes differ on it: a rounded negative quotient, a division by zero, an index out of range, NaN, sums in an
//   order of their own.
//
// It is exactly the result of every runtime, except for cosines and the like of float32. These are the nearest number,
// where runtimes are off by a unit or two of the last place.
std::optional<KnownTensor> Evaluate(const ir::Graph& graph, const ir::Node& node,
                                    const std::vector<const KnownTensor*>& inputs);

}  // namespace onnxport::onnx_ops

#endif  // ONNXPORT_RUNTIME_ONNX_EVALUATE_H_
