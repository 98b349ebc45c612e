// Evaluates one ONNX node on known tensors.
#ifndef ONNXPORT_RUNTIME_ONNX_EVALUATE_H_
#define ONNXPORT_RUNTIME_ONNX_EVALUATE_H_

#include <optional>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/onnx/known_tensor.h"

namespace onnxport::onnx_ops {

// Evaluates the node's only output. Returns nothing in these cases:
// - The operator is not supported here.
// - An input is unknown: `inputs` has a null for it. Shape and Size need only the input's dimensions.
// - The result is too large (kMostElements) or its dtype is not foldable.
// - Runtimes differ on the result: a rounded negative quotient, a division by zero, an index out of range, NaN, or a
//   sum whose order they choose.
//
// The result is exactly that of every runtime, with one exception: cosines and the like of float32. Here it is the
// nearest number, where runtimes are off by a unit or two in the last place.
std::optional<KnownTensor> Evaluate(const ir::Graph& graph, const ir::Node& node,
                                    const std::vector<const KnownTensor*>& inputs);

}  // namespace onnxport::onnx_ops

#endif  // ONNXPORT_RUNTIME_ONNX_EVALUATE_H_
