// Names of operators, as exported programs write them.
#ifndef ONNXPORT_RUNTIME_PT2_OP_NAME_H_
#define ONNXPORT_RUNTIME_PT2_OP_NAME_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace onnxport::pt2 {

// "torch.ops.aten.add.Tensor" -> "aten::add.Tensor", "_operator.floordiv" -> "host::floordiv"; other text as it is.
// A target has no "::": what begins with "host::" is one of Python's functions on numbers that a file may name, and
// never an instruction that the runtime makes for itself.
std::string OpName(std::string_view target);

// How many operands one of these functions takes; nothing for any other target.
struct Operands {
  size_t least;
  size_t most;
};
std::optional<Operands> OperandsOf(std::string_view target);

// Assertions and range constraints: they compute nothing.
bool IsAssertion(std::string_view op);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_PT2_OP_NAME_H_
