// Arithmetic of the source program on sizes and numbers: SymInt, SymFloat and SymBool.
#ifndef ONNXPORT_RUNTIME_LOWERING_HOST_HOST_OPS_H_
#define ONNXPORT_RUNTIME_LOWERING_HOST_HOST_OPS_H_

#include <string_view>

#include "runtime/lowering/dsl/context.h"

namespace onnxport::lowering {

// `host::add`, `host::sym_size` ...
bool IsHostOp(std::string_view op);

// The result: a number when the operands are known, else a 0-d tensor: int64, float64 (Python's float) or bool.
// The operands are the context's arguments. Throws Refusal.
Val EvaluateHostOp(Context& context, std::string_view op);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_HOST_HOST_OPS_H_
