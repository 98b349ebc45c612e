#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_REPEAT_CONSTANTS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_REPEAT_CONSTANTS_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Repeats small constants inside the blocks that read them as shapes, axes or bounds. Inside a block, ONNX's inference
// cannot see the contents of outer values: it would lose the rank after a Reshape, and ignore the sizes of a Resize.
// Returns true if anything changed.
//  1. A 1-d int64 weight without a name, with at most 8 elements, becomes a Constant of the block, for any input but
//     the first.
//  2. All nodes of a block share one Constant. A weight that is not read any more is removed.
bool RepeatConstants(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_FINISH_REPEAT_CONSTANTS_H_
