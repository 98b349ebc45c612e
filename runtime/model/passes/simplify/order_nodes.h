#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_ORDER_NODES_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_ORDER_NODES_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Sorts the nodes of each call of the program by their use: nodes for the first input come before nodes for the second.
// C++ does not define which argument of a function is evaluated first. Without this pass the order would depend on the
// compiler, and models would not have the same bytes everywhere. Dead nodes come last. Ids of values follow the order
// of nodes, and unused ids are dropped.
void OrderNodes(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_ORDER_NODES_H_
