// Which operators of ONNX compute element by element.
#ifndef ONNXPORT_RUNTIME_LOWERING_TYPES_ELEMENTWISE_H_
#define ONNXPORT_RUNTIME_LOWERING_TYPES_ELEMENTWISE_H_

#include <string>

namespace onnxport::lowering {

// True when the operator's one result has at each place what its inputs, broadcast, have there.
bool IsElementwise(const std::string& op);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_TYPES_ELEMENTWISE_H_
