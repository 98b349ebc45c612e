// Calls ATen: chooses the overload, makes the call on the tracer, and converts the results.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_OPERATORS_ATEN_CALL_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_OPERATORS_ATEN_CALL_H_

#include "runtime/sources/torchscript/interpret/builtins/call_site.h"
#include "runtime/sources/torchscript/interpret/operators/overloads.h"
#include "runtime/sources/torchscript/interpret/values/value.h"

namespace onnxport::torchscript {

// Throws Refusal if no overload takes the arguments.
Value CallAten(const CallSite& site, Overloads* overloads);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_OPERATORS_ATEN_CALL_H_
