// Names of operators in exported programs.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_OP_NAME_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_OP_NAME_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "runtime/ir/operator.h"

namespace onnxport::pt2 {

// A Python function on numbers that a file may name.
struct Function {
  enum class Kind : uint8_t {
    kInstruction,
    kItself,  // +n: the operand
    kSum,     // sums the list that is its operand
  };
  std::string_view target;  // "operator.floordiv"
  Kind kind;
  ir::Instruction instruction = {};  // kInstruction: the instruction

  size_t least() const { return kind == Kind::kInstruction ? ir::InfoOf(instruction).least : 1; }
  size_t most() const { return kind == Kind::kInstruction ? ir::InfoOf(instruction).most : 1; }
};
// "_operator.floordiv", with or without the underscore; null for any other target.
const Function* FindFunction(std::string_view target);

// "torch.ops.aten.add.Tensor" -> "aten::add.Tensor", "_operator.floordiv" -> its instruction. Other texts stay
// unchanged.
ir::Operator OperatorOf(std::string_view target);

// Returns true for assertions and range constraints: they compute nothing.
bool IsAssertion(const ir::Operator& op);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_OP_NAME_H_
