// Facts about an operator that a program calls.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCH_KNOWN_OPERATOR_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCH_KNOWN_OPERATOR_H_

#include <string>

namespace onnxport::torch_export {

// Returns true if a spec says how to export a call of it ("aten::add_.Tensor"), or of its functional form.
bool IsKnownOperator(const std::string& name);

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCH_KNOWN_OPERATOR_H_
