// Computes the runtime's own instructions: arithmetic of the source program on sizes and numbers (SymInt, SymFloat and
// SymBool), lists, and helpers for writes and branches.
#ifndef ONNXPORT_RUNTIME_LOWERING_HOST_HOST_OPS_H_
#define ONNXPORT_RUNTIME_LOWERING_HOST_HOST_OPS_H_

#include "runtime/ir/instruction.h"
#include "runtime/lowering/dsl/context.h"

namespace onnxport::lowering {

// Computes the result. Arithmetic returns a number if the operands are known, else a 0-d tensor: int64, float64
// (Python's float) or bool. The operands are the context's arguments. Throws Refusal.
Val Execute(Context& context, ir::Instruction instruction);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_HOST_HOST_OPS_H_
