// What a method returns as named outputs of the graph.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_OUTPUTS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_OUTPUTS_H_

#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/trace/tracer.h"

namespace onnxport::torchscript {

// Containers are flattened: a lone tensor is "output", a tuple's or list's are "output_0" and so on, those of a named
// tuple have its field names, a dict's their keys; below that dotted ("boxes.0"). Numbers become constants, None is
// left out with a remark. What ONNX has no output for (texts, objects, dictionaries with other keys, values that only
// one branch sets) is a failure of the tracer.
void AddOutputs(const Value& result, trace::Tracer* tracer);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_OUTPUTS_H_
