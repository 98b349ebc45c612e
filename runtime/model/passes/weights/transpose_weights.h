#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_TRANSPOSE_WEIGHTS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_TRANSPOSE_WEIGHTS_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// A weight that is used by nothing but one Transpose is written transposed, named `fc.weight.T`. Returns whether
// anything changed.
bool TransposeWeights(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_TRANSPOSE_WEIGHTS_H_
