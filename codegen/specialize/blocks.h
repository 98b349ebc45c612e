// Specializes the parts of entries and definitions for one opset.
#ifndef ONNXPORT_CODEGEN_SPECIALIZE_BLOCKS_H_
#define ONNXPORT_CODEGEN_SPECIALIZE_BLOCKS_H_

#include <optional>
#include <vector>

#include "codegen/model/spec.h"
#include "codegen/specialize/specializer.h"

namespace onnxport::codegen {

// Every range contains kAnyOpset.
bool InRange(const std::optional<int>& since, const std::optional<int>& until, int opset);

Def SpecializeDef(Def def, const Specializer& specializer);
Repetition SpecializeRepetition(Repetition repetition, const Specializer& specializer);
// Returns the cases that can be taken. `numbers` gets their numbers as written, from 1.
std::vector<Case> SpecializeCases(const std::vector<Case>& cases, const Specializer& specializer,
                                  std::vector<int>* numbers);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_SPECIALIZE_BLOCKS_H_
