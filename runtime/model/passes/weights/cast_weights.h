#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_CAST_WEIGHTS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_CAST_WEIGHTS_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// A weight whose only use is a Cast to a float dtype of fewer bytes, as autocast makes it, is stored in that dtype with
// the name `fc.weight.float16`. So is a weight whose only use is a BitCast; its bytes stay. Returns true if anything
// changed.
bool CastWeights(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_CAST_WEIGHTS_H_
