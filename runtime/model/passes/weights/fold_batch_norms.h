#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_FOLD_BATCH_NORMS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_FOLD_BATCH_NORMS_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Folds BatchNormalization(Conv(x, W, b)) into Conv(x, W', b') where nothing else uses W and the result of the Conv;
// likewise for ConvTranspose without groups and for Gemm. With f = scale / sqrt(variance + epsilon) for each channel,
// W' = W * f and b' = (b - mean) * f + bias. This rounds otherwise than the two nodes, once instead of several times.
//
// Only float32 and float64 are folded. A norm is left alone if one of its numbers is so large or small that the product
// could leave the range of the dtype. Returns whether anything changed.
bool FoldBatchNorms(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_FOLD_BATCH_NORMS_H_
