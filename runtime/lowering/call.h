// One ATen or host call, by the dispatch table.
#ifndef ONNXPORT_RUNTIME_LOWERING_CALL_H_
#define ONNXPORT_RUNTIME_LOWERING_CALL_H_

#include <optional>
#include <string>

#include "runtime/lowering/build/val.h"

namespace onnxport::lowering {

class Emitter;

// The results. Throws Refusal; blocks that were open before stay so.
Vals LowerCall(Emitter* emitter, const std::string& op, Vals args);

// Why no call of `op` can be lowered at this opset, whatever its arguments are; nothing where one may be.
std::optional<std::string> WhyNever(const std::string& op, int opset);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_CALL_H_
