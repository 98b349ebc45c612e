#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_CAST_WEIGHTS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_CAST_WEIGHTS_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// A weight that is used by nothing but one Cast to a float dtype of fewer bytes, as autocast leaves it, is written in
// that dtype, named `fc.weight.float16`. So is one that is used by one BitCast: its bytes stay. Returns whether
// anything changed.
bool CastWeights(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_CAST_WEIGHTS_H_
