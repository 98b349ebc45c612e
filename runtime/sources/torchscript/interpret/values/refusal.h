// The reason why the interpreter does not make a call.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_REFUSAL_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_REFUSAL_H_

#include "runtime/base/refusal.h"

namespace onnxport::torchscript {

// Builtins throw all kinds. Only kRaised, which the program itself raises, goes through the interpreter, to code that
// can drop the side that raises it.
using onnxport::Refusal;

// Returns true if the program itself raises. If not, rethrow.
inline bool IsRaised(const Refusal& refusal) { return refusal.kind() == Refusal::Kind::kRaised; }

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_REFUSAL_H_
