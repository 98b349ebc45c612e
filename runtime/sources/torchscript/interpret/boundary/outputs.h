// The result of a method as named outputs of the graph.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_OUTPUTS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_OUTPUTS_H_

#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/trace/tracer.h"

namespace onnxport::torchscript {

// Containers are flattened: a lone tensor is "output", those of a tuple or list are "output_0" and so on. A named tuple
// gives its field names, a dict its keys; below that names are dotted ("boxes.0"). Numbers become constants, None is
// left out with a remark. Values that cannot be an output in ONNX (texts, objects, dictionaries with other keys, values
// that only one branch sets) are a failure of the tracer.
void AddOutputs(const Value& result, trace::Tracer* tracer);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_OUTPUTS_H_
