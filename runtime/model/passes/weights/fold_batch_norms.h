#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_FOLD_BATCH_NORMS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_FOLD_BATCH_NORMS_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// BatchNormalization(Conv(x, W, b)) becomes Conv(x, W', b') where nothing else uses W and what the Conv gives, and so
// of ConvTranspose without groups and of Gemm: with f = scale / sqrt(variance + epsilon) for each channel, W' = W * f
// and b' = (b - mean) * f + bias. This rounds otherwise than the two nodes, once instead of several times. It is left
// alone for other floats than float32 and float64, and where a number of the norm is so large or small that the product
// could leave the range of the dtype. Returns whether anything changed.
bool FoldBatchNorms(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_FOLD_BATCH_NORMS_H_
