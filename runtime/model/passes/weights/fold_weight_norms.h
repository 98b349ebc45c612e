#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_FOLD_WEIGHT_NORMS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_FOLD_WEIGHT_NORMS_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// torch.nn.utils.weight_norm leaves Mul(v, Div(g, ReduceL2(v))) of the weights v and g. It becomes a weight, where
// nothing else uses v and the norm keeps one axis. It rounds otherwise than the nodes: the norm is summed in double
// precision, in the order of the elements, and the product is rounded once. float32 and float64 only, and only where no
// quotient is zero, very large or very small. Returns whether anything changed.
bool FoldWeightNorms(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_FOLD_WEIGHT_NORMS_H_
