// Reads `fold` and `loop`.
#ifndef ONNXPORT_CODEGEN_LOAD_REPETITION_H_
#define ONNXPORT_CODEGEN_LOAD_REPETITION_H_

#include <optional>

#include "codegen/load/fields.h"
#include "codegen/model/spec.h"
#include "codegen/source/diagnostics.h"

namespace onnxport::codegen {

// Reads the repetition of an entry or a definition, if it has one. Reports mistakes; use the result only if there were
// none.
std::optional<Repetition> ReadRepetition(const Fields& fields, Diagnostics* diagnostics);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_LOAD_REPETITION_H_
