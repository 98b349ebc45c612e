// Generated from spec/aten/squeeze.yaml. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/dsl/context.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/lowering/dsl/hooks.h"
#include "runtime/lowering/dsl/builtins.h"

namespace onnxport::generated::squeeze_operators {

using namespace lowering;  // NOLINT: generated code reads like the spec

// aten::squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)
// spec/aten/squeeze.yaml:6, opset 7 to 28
Vals aten_squeeze_dim(Context& c) {
  auto [self, dim_] = c.args<2>();
  dim_ = c.axis("dim", dim_, self);
  if (rank(self) == 0 || (is_static(dim(self, dim_)) && dim(self, dim_) != 1)) {
    return {self};
  }
  if (is_static(dim(self, dim_))) {
    return {c.op("Squeeze", {self}, {{"axes", Vals{dim_}}})};
  }
  return {refuse("the result's rank depends on a size known only at run time")};
}

}  // namespace onnxport::generated::squeeze_operators
