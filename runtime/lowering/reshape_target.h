// The shape that a Reshape asks for.
#ifndef ONNXPORT_RUNTIME_LOWERING_RESHAPE_TARGET_H_
#define ONNXPORT_RUNTIME_LOWERING_RESHAPE_TARGET_H_

#include "runtime/lowering/context.h"

namespace onnxport::lowering {

// Makes computed sizes of `inputs[1]`, a list, constants:
//  1. a size that is the input's own at that position becomes 0: "as in the input";
//  2. one other computed size becomes -1, "what is left", if no other size can be 0 at run time (then nothing would
//  tell).
// A list without computed sizes says what it says.
void SimplifyReshapeTarget(Vals* inputs, const NamedArgs& attributes);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_RESHAPE_TARGET_H_
