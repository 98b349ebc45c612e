// Calls operators that have no schema and that the user maps to ONNX nodes.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_OPERATORS_CUSTOM_CALL_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_OPERATORS_CUSTOM_CALL_H_

#include "runtime/sources/torchscript/interpret/builtins/call_site.h"

namespace onnxport::torchscript {

// Throws Refusal for an argument that a node cannot have.
Value CustomCall(const CallSite& site);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_OPERATORS_CUSTOM_CALL_H_
