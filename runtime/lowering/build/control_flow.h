// Makes If and Loop nodes, and follows the rules of ONNX and its runtimes for them.
#ifndef ONNXPORT_RUNTIME_LOWERING_BUILD_CONTROL_FLOW_H_
#define ONNXPORT_RUNTIME_LOWERING_BUILD_CONTROL_FLOW_H_

#include <vector>

#include "runtime/ir/control_flow.h"
#include "runtime/ir/graph.h"

namespace onnxport::lowering {

class Emitter;

// Adds an If of two blocks that have ended. At the end of each block it adds nodes that compute the block's outputs.
// Returns the results of `spec`. Throws Refusal.
std::vector<ir::ValueId> EmitIf(Emitter* emitter, const ir::IfSpec& spec, ir::Block then, ir::Block otherwise);

// Adds a Loop of such a block. The block has the inputs of `spec`, in any order. Returns the carried values after the
// loop, then the scans. Throws Refusal.
std::vector<ir::ValueId> EmitLoop(Emitter* emitter, ir::LoopSpec spec, ir::Block body);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_BUILD_CONTROL_FLOW_H_
