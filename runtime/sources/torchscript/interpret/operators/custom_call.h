// Calls of operators that nobody has a schema of, where the user maps them to nodes of ONNX.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_OPERATORS_CUSTOM_CALL_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_OPERATORS_CUSTOM_CALL_H_

#include "runtime/sources/torchscript/interpret/builtins/call_site.h"

namespace onnxport::torchscript {

// Throws Refusal for an argument that no node takes.
Value CustomCall(const CallSite& site);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_OPERATORS_CUSTOM_CALL_H_
