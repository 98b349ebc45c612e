// Names of operators, as exported programs write them.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_OP_NAME_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_OP_NAME_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "runtime/ir/operator.h"

namespace onnxport::pt2 {

// One of Python's functions on numbers, as far as a file may name them.
struct Function {
  enum class Kind : uint8_t {
    kInstruction,
    kItself,  // +n: the operand
    kSum,     // of the list that is its operand
  };
  std::string_view target;  // "operator.floordiv"
  Kind kind;
  ir::Instruction instruction = {};  // kInstruction: which

  size_t least() const { return kind == Kind::kInstruction ? ir::InfoOf(instruction).least : 1; }
  size_t most() const { return kind == Kind::kInstruction ? ir::InfoOf(instruction).most : 1; }
};
// "_operator.floordiv", with or without the underscore; null for any other target.
const Function* FindFunction(std::string_view target);

// "torch.ops.aten.add.Tensor" -> "aten::add.Tensor", "_operator.floordiv" -> the instruction; other text as it is.
ir::Operator OperatorOf(std::string_view target);

// Assertions and range constraints: they compute nothing.
bool IsAssertion(const ir::Operator& op);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_OP_NAME_H_
