// A call of ATen: overloads, the tracer, results as values.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_OPERATORS_ATEN_CALL_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_OPERATORS_ATEN_CALL_H_

#include "runtime/sources/torchscript/interpret/builtins/call_site.h"
#include "runtime/sources/torchscript/interpret/operators/overloads.h"
#include "runtime/sources/torchscript/interpret/values/value.h"

namespace onnxport::torchscript {

// Throws Refusal when no overload takes the arguments.
Value CallAten(const CallSite& site, Overloads* overloads);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_OPERATORS_ATEN_CALL_H_
