#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_LIFT_CONSTANTS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_LIFT_CONSTANTS_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Turns Constant nodes into initializers. Viewers show these inside the node that uses them, and they are not counted
// as work. Returns true if anything changed.
//  1. From opset 9 on, a Constant becomes a weight without a name (the naming pass gives it one).
//  2. Up to opset 8, a Constant of floats stays a node: every initializer would also be an input, which callers could
//     override. Others must become initializers, because the Constant of opset 1 has only floats.
bool LiftConstants(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_LIFT_CONSTANTS_H_
