// Writes the C++ functions of definitions.
#ifndef ONNXPORT_CODEGEN_EMIT_DEFINITION_H_
#define ONNXPORT_CODEGEN_EMIT_DEFINITION_H_

#include <span>

#include "codegen/emit/arms.h"
#include "codegen/emit/block.h"
#include "codegen/emit/cpp.h"
#include "codegen/model/spec.h"

namespace onnxport::codegen {

// A definition of the file, specialized for kAnyOpset: "static Val conv(Context& c, const Val& x)".
cpp::Function WriteDef(const Def& def, Arms* arms);

// Adds the statements that compute a definition to `block`. `defs` are the definitions that see the same names.
void AddDefBody(const Def& def, std::span<const Def> defs, BlockWriter* block);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_DEFINITION_H_
