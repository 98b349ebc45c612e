#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_LIFT_CONSTANTS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_LIFT_CONSTANTS_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Makes initializers of Constant nodes: they show inside the node that uses them, and count as no work.
// Returns whether anything changed.
//  1. From opset 9 on a Constant becomes a weight without a name of its own (the naming pass gives one).
//  2. Up to opset 8 one of floats stays a node: there every initializer is an input too, which callers could override.
//     Others have no choice, as the Constant of opset 1 gives floats only.
bool LiftConstants(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_LIFT_CONSTANTS_H_
