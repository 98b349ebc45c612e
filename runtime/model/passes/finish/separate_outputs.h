#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_SEPARATE_OUTPUTS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_SEPARATE_OUTPUTS_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Gives every output of the graph its own value, and so its own name. An Identity is added for an output that is a user
// input or a weight, and for one that is listed twice. Returns true if anything changed.
bool SeparateOutputs(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_SEPARATE_OUTPUTS_H_
