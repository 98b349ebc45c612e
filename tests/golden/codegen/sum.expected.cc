// Generated from spec/aten/sum.yaml. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/dsl/context.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/lowering/dsl/hooks.h"
#include "runtime/lowering/dsl/builtins.h"

namespace onnxport::generated::sum_operators {

using namespace lowering;  // NOLINT: generated code reads like the spec

// aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor
// spec/aten/sum.yaml:7, opset 7 to 28
Vals aten_sum_dim_IntList(Context& c) {
  const auto [self, dim, keepdim, dtype] = c.args<4>();
  const Val x = cast(self, Or(dtype, [&] { return is_int(self) ? DType::kInt64 : Val(); }));
  if (rank(self) == 0) {
    return {x};
  }
  if (!dim) {
    return {c.op("ReduceSum", {x}, {{"keepdims", keepdim}})};
  }
  return {c.op("ReduceSum", {x}, {{"axes", dim}, {"keepdims", keepdim}})};
}

}  // namespace onnxport::generated::sum_operators
