#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_FOLD_BATCH_NORMS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_FOLD_BATCH_NORMS_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Folds BatchNormalization(Conv(x, W, b)) to Conv(x, W', b') if nothing else uses W and the result of the Conv. Does
// the same for ConvTranspose without groups, and for Gemm. With f = scale / sqrt(variance + epsilon) for each channel,
// W' = W * f and b' = (b - mean) * f + bias. The result may differ in the last bits, because it is rounded once instead
// of several times.
//
// Only float32 and float64 are folded. A norm is left alone if the product might leave the range of the dtype, because
// one of its numbers is very large or small. Returns true if anything changed.
bool FoldBatchNorms(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_FOLD_BATCH_NORMS_H_
