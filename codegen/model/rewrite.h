// Changing expressions in their places.
#ifndef ONNXPORT_CODEGEN_MODEL_REWRITE_H_
#define ONNXPORT_CODEGEN_MODEL_REWRITE_H_

#include <functional>
#include <memory>

#include "codegen/model/expr.h"

namespace onnxport::codegen {

// Gives each term of `expr` to `change`, the inner ones first, which returns what stands in its place or null for the
// term as it is. Expressions are shared: those in which nothing changes stay the same object.
void Rewrite(ExprPtr& expr, const std::function<ExprPtr(const Expr&)>& change);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_MODEL_REWRITE_H_
