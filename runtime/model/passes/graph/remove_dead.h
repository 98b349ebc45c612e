#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_REMOVE_DEAD_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_REMOVE_DEAD_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Removes what no output of the graph needs. Returns whether anything changed.
//  1. Nodes none of whose results is used.
//  2. Weights that are not used.
// User inputs stay, used or not: they are the model's interface.
bool RemoveDead(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_REMOVE_DEAD_H_
