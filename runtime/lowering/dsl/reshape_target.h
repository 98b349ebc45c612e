// Adapts the target shape of a Reshape.
#ifndef ONNXPORT_RUNTIME_LOWERING_DSL_RESHAPE_TARGET_H_
#define ONNXPORT_RUNTIME_LOWERING_DSL_RESHAPE_TARGET_H_

#include "runtime/lowering/dsl/context.h"

namespace onnxport::lowering {

// Replaces `inputs[1]`, a list of sizes with PyTorch's meaning, by one with the same meaning in ONNX.
// 1. A size of 0: ONNX copies the size of the input unless `allowzero` is set (opset 14). Before 14, a result with one
//    empty axis has -1 there, "the rest". Two empty axes are refused.
// 2. If several sizes are computed, one that equals the size of the input at that position becomes 0. One other becomes
//    -1 if no other size can be 0 at run time: with a 0, the rest is not determined.
// If the attributes have `allowzero`, the list stays unchanged. Returns the sizes that were asked for, where they are
// known: for an input whose sizes are open, -1 and 0 tell nothing.
ir::Dims SetReshapeTarget(Vals* inputs, NamedArgs* attributes);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_DSL_RESHAPE_TARGET_H_
