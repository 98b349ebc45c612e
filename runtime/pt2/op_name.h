// Names of operators, as exported programs write them.
#ifndef ONNXPORT_RUNTIME_PT2_OP_NAME_H_
#define ONNXPORT_RUNTIME_PT2_OP_NAME_H_

#include <string>
#include <string_view>

namespace onnxport::pt2 {

// "torch.ops.aten.add.Tensor" -> "aten::add.Tensor", "_operator.floordiv" -> "host::floordiv"; other text as it is.
std::string OpName(std::string_view target);

// Assertions and range constraints: they compute nothing.
bool IsAssertion(std::string_view op);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_PT2_OP_NAME_H_
