#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_TRANSPOSE_WEIGHTS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_TRANSPOSE_WEIGHTS_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// A weight whose only use is a Transpose is stored transposed, with the name `fc.weight.T`. Returns true if anything
// changed.
bool TransposeWeights(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_TRANSPOSE_WEIGHTS_H_
