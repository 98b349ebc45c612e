// Lowers one call of an operator, by the dispatch table, or an instruction.
#ifndef ONNXPORT_RUNTIME_LOWERING_CALL_H_
#define ONNXPORT_RUNTIME_LOWERING_CALL_H_

#include <optional>
#include <string>

#include "runtime/base/refusal.h"
#include "runtime/ir/operator.h"
#include "runtime/lowering/build/val.h"

namespace onnxport::lowering {

class Emitter;

// Returns the results. Throws Refusal; blocks that were open before stay open.
Vals LowerCall(Emitter* emitter, const ir::Operator& op, Vals args);

// Says why no call of `op` can be lowered at this opset, with any arguments. Returns nothing if some call may be.
std::optional<Reason> WhyNever(const ir::Operator& op, int opset);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_CALL_H_
