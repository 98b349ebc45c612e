// Facts that follow from an ATen schema.
#ifndef ONNXPORT_RUNTIME_ATEN_SCHEMA_QUESTIONS_H_
#define ONNXPORT_RUNTIME_ATEN_SCHEMA_QUESTIONS_H_

#include <optional>

#include "runtime/aten/aten_schema.h"
#include "runtime/ir/operator.h"

namespace onnxport::ir {

// The operator as an instruction, which may ask something of a tensor: `aten::sym_size.int` is `sym_size`.
std::optional<Instruction> InstructionOf(const Operator& op);
// The same where the schema is at hand; null where the operator has none.
std::optional<Instruction> InstructionOf(const Operator& op, const AtenSchema* schema);

// Returns false for an argument that tells how something is done, not how much of it there is: the number of an axis, a
// probability, `eps`, a mode. Nobody computes such a number of a tensor's sizes.
bool CanBeSize(const AtenArgument& argument);

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_ATEN_SCHEMA_QUESTIONS_H_
