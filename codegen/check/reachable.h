// Which expressions an entry can evaluate at an opset.
#ifndef ONNXPORT_CODEGEN_CHECK_REACHABLE_H_
#define ONNXPORT_CODEGEN_CHECK_REACHABLE_H_

#include <functional>
#include <vector>

#include "codegen/check/fold.h"

namespace onnxport::codegen {

// The whole expressions: those of the cases, of the lets in use, and of the defs that these call, the file's included.
std::vector<ExprPtr> Reachable(const FoldedEntry& folded, const std::vector<Def>& file_defs);

// `visit` of an expression and of everything in it.
void ForEach(const Expr& expr, const std::function<void(const Expr&)>& visit);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_CHECK_REACHABLE_H_
