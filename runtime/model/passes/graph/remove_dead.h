#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_REMOVE_DEAD_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_REMOVE_DEAD_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Removes everything that no output of the graph needs: nodes without a used result, and unused weights. User inputs
// stay even if they are unused, because they are the model's interface. Returns true if anything changed.
bool RemoveDead(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_REMOVE_DEAD_H_
