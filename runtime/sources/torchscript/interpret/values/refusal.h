// Why the interpreter does not make a call.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_REFUSAL_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_REFUSAL_H_

#include "runtime/base/refusal.h"

namespace onnxport::torchscript {

// Builtins throw all kinds. Only what the program itself raises goes through the interpreter, up to whoever can drop
// what raises it.
using onnxport::Refusal;

// Returns true if the program itself raises. Where it does not, rethrow.
inline bool IsRaised(const Refusal& refusal) { return refusal.kind() == Refusal::Kind::kRaised; }

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_REFUSAL_H_
