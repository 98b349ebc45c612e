// One ATen or host call, by the dispatch table.
#ifndef ONNXPORT_RUNTIME_LOWERING_CALL_H_
#define ONNXPORT_RUNTIME_LOWERING_CALL_H_

#include <string>

#include "runtime/lowering/build/val.h"

namespace onnxport::lowering {

class Emitter;

// The results. Throws Refusal; blocks that were open before stay so.
Vals LowerCall(Emitter* emitter, const std::string& op, Vals args);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_CALL_H_
