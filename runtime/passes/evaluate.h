// Computes one ONNX node on known integers.
#ifndef ONNXPORT_RUNTIME_PASSES_EVALUATE_H_
#define ONNXPORT_RUNTIME_PASSES_EVALUATE_H_

#include <optional>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/passes/int_tensor.h"

namespace onnxport::passes {

// The node's only output, exactly as every runtime computes it; nothing when
//  - the operator is none of the integer and shape operators known here, or
//  - an input is not known (`inputs` has a null for it; Shape and Size do with the input's dimensions), or
//  - the result is too large (kMostElements), no foldable dtype, or one on which runtimes differ (a rounded negative
//    quotient, a division by zero, an index out of range).
std::optional<IntTensor> Evaluate(const ir::Graph& graph, const ir::Node& node,
                                  const std::vector<const IntTensor*>& inputs);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_PASSES_EVALUATE_H_
