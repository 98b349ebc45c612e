// Makes the result of a method named outputs of the graph.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_OUTPUTS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_OUTPUTS_H_

#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/trace/tracer.h"

namespace onnxport::torchscript {

// Containers are flattened. A single tensor is "output", those of a tuple or list are "output_0" and so on. A named
// tuple gives its field names, a dict its keys; names of nested values have dots ("boxes.0"). Numbers become constants,
// None is left out with a remark. Other values are a failure of the tracer: texts, objects, dictionaries with other
// keys, values that only one branch sets.
void AddOutputs(const Value& result, trace::Tracer* tracer);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_OUTPUTS_H_
