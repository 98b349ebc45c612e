// If and Loop nodes, and the rules that ONNX and its runtimes have for them.
#ifndef ONNXPORT_RUNTIME_LOWERING_BUILD_CONTROL_FLOW_H_
#define ONNXPORT_RUNTIME_LOWERING_BUILD_CONTROL_FLOW_H_

#include <vector>

#include "runtime/ir/control_flow.h"
#include "runtime/ir/graph.h"

namespace onnxport::lowering {

class Emitter;

// Appends an If of two blocks that have ended, and at their ends what makes their outputs of the results. Its results
// are those of `spec`. Throws Refusal.
std::vector<ir::ValueId> EmitIf(Emitter* emitter, const ir::IfSpec& spec, ir::Block then, ir::Block otherwise);

// Appends a Loop of such a block; the block's inputs are those of `spec`, in any order. Results: the carried values
// after the loop, then the scans. Throws Refusal.
std::vector<ir::ValueId> EmitLoop(Emitter* emitter, ir::LoopSpec spec, ir::Block body);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_BUILD_CONTROL_FLOW_H_
