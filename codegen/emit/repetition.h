// Writes `fold` and `loop`: repetition while exporting, and in the model.
#ifndef ONNXPORT_CODEGEN_EMIT_REPETITION_H_
#define ONNXPORT_CODEGEN_EMIT_REPETITION_H_

#include <set>
#include <string>
#include <vector>

#include "codegen/emit/block.h"
#include "codegen/model/spec.h"

namespace onnxport::codegen {

// Adds the statements to `block`, and defines the names that the code after it can use. `lets` are those of each round.
void AddRepetition(const Repetition& repetition, const std::vector<PlannedLet>& lets, const std::set<std::string>& used,
                   BlockWriter* block);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_REPETITION_H_
