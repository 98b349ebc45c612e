#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_KEEP_EMPTY_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_KEEP_EMPTY_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Replaces an Expand from one element to none by a Slice that takes none. If no axis grows, ONNX Runtime's
// optimizations remove the Expand, and the element stays (findings/onnxruntime_keeps_what_expand_takes_away.sh).
// Returns true if anything changed.
bool KeepEmpty(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_KEEP_EMPTY_H_
