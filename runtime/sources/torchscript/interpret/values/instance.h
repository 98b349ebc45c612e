// `isinstance` on values.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_INSTANCE_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_INSTANCE_H_

#include <optional>

#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/sources/torchscript/syntax/type.h"
#include "runtime/trace/tracer.h"

namespace onnxport::torchscript {

// Nothing if it cannot be decided: an unknown type, or the elements of an empty container.
std::optional<bool> IsInstanceOf(const Value& value, const Type& type, const trace::Tracer& tracer);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_INSTANCE_H_
