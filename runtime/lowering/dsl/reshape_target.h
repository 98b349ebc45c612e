// The shape that a Reshape asks for.
#ifndef ONNXPORT_RUNTIME_LOWERING_DSL_RESHAPE_TARGET_H_
#define ONNXPORT_RUNTIME_LOWERING_DSL_RESHAPE_TARGET_H_

#include "runtime/lowering/dsl/context.h"

namespace onnxport::lowering {

// `inputs[1]`, a list of sizes as PyTorch means them, becomes one that ONNX reads the same:
// 1. A size of 0: ONNX takes it for "as in the input" unless `allowzero` is set (14). Before 14, a result with one
//    empty axis asks for -1 there, "the rest". Two are refused.
// 2. If several sizes are computed, one that is the input's own at that position becomes 0. One other becomes -1 if no
//    other size can be 0 at run time (then nothing would tell).
// With `allowzero` among the attributes the list is taken as it is.
// Returns the sizes that were asked for, where they are known: of an input whose sizes are open, -1 and 0 tell nothing.
ir::Dims SetReshapeTarget(Vals* inputs, NamedArgs* attributes);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_DSL_RESHAPE_TARGET_H_
