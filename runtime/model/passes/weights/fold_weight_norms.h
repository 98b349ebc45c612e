#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_FOLD_WEIGHT_NORMS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_FOLD_WEIGHT_NORMS_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// torch.nn.utils.weight_norm gives Mul(v, Div(g, ReduceL2(v))) with the weights v and g. It becomes a weight if nothing
// else uses v and the norm keeps one axis. The result may differ in the last bits: the norm is summed in double
// precision, in the order of the elements, and the product is rounded once. It is only folded in float32 and float64,
// and only if no quotient is zero, very large or very small. Returns true if anything changed.
bool FoldWeightNorms(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_FOLD_WEIGHT_NORMS_H_
