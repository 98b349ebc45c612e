#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_ORDER_NODES_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_ORDER_NODES_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Puts the nodes of each call of the program into the order in which they are used: what computes the first input comes
// before what computes the second. C++ leaves open which argument of a function is evaluated first: without this the
// order would be the compiler's, and models not the same bytes everywhere. Dead nodes come last. Numbers of values
// follow the order of nodes; those that are nowhere in the graph go.
void OrderNodes(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_ORDER_NODES_H_
