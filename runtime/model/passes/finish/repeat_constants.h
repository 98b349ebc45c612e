#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_REPEAT_CONSTANTS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_REPEAT_CONSTANTS_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Repeats small constants inside the blocks that read them as shapes, axes or bounds. ONNX's inference sees no contents
// of outer values there: it would know no rank after a Reshape, and takes the sizes of a Resize for none at all.
// Returns whether anything changed.
//  1. A 1-d int64 weight without a name, of at most 8 elements, becomes a Constant of the block at any input but the
//     first.
//  2. One Constant per block serves all its nodes. A weight that nobody reads any more goes.
bool RepeatConstants(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_REPEAT_CONSTANTS_H_
