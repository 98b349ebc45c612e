// Which expressions an entry can evaluate at an opset.
#ifndef ONNXPORT_CODEGEN_SPECIALIZE_REACHABLE_H_
#define ONNXPORT_CODEGEN_SPECIALIZE_REACHABLE_H_

#include <vector>

#include "codegen/specialize/specialize.h"

namespace onnxport::codegen {

// The whole expressions: those of the cases, of the lets in use, and of the defs that these call, those of the file
// (`file_defs`, specialized for the same opset) included.
std::vector<ExprPtr> Reachable(const SpecializedEntry& entry, const std::vector<Def>& file_defs);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_SPECIALIZE_REACHABLE_H_
