// Facts that follow from an ATen schema.
#ifndef ONNXPORT_RUNTIME_ATEN_SCHEMA_QUESTIONS_H_
#define ONNXPORT_RUNTIME_ATEN_SCHEMA_QUESTIONS_H_

#include <optional>

#include "runtime/aten/aten_schema.h"
#include "runtime/ir/operator.h"

namespace onnxport::ir {

// Returns the operator as an instruction, if it is one; `aten::sym_size.int` is `sym_size`. An instruction may read a
// tensor's sizes.
std::optional<Instruction> InstructionOf(const Operator& op);
// Does the same if the caller has the schema; null if the operator has none.
std::optional<Instruction> InstructionOf(const Operator& op, const AtenSchema* schema);

// Returns false for an argument that says how to compute, not how much: the number of an axis, a probability, `eps`, a
// mode. Nobody computes such a number from a tensor's sizes.
bool CanBeSize(const AtenArgument& argument);

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_ATEN_SCHEMA_QUESTIONS_H_
