#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_SEPARATE_OUTPUTS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_SEPARATE_OUTPUTS_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Gives every output of the graph a value and so a name of its own. Returns whether anything changed.
//  1. An output that is a user input or a weight is passed through an Identity.
//  2. An output that is listed before, too.
bool SeparateOutputs(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_SEPARATE_OUTPUTS_H_
