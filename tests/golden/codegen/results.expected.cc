// Generated from spec/aten/results.yaml. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/dsl/context.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/lowering/dsl/hooks.h"
#include "runtime/lowering/dsl/builtins.h"

namespace onnxport::generated::results_operators {

using namespace lowering;  // NOLINT: generated code reads like the spec

// aten::topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, Tensor indices)
// spec/aten/results.yaml:7, opset 11 to 28
Vals aten_topk(Context& c) {
  const auto [self, k, dim_, largest] = c.args<4>();
  must("largest", largest, true);
  Lazy v_i = c.lazy([&] { return c.ops("TopK", {self, Vals{k}}, {{"axis", dim_}}, 2); });
  if (k == 1) {
    return {Val(), v_i()[1]};
  }
  if (k == 2) {
    return {v_i()[0], v_i()[1]};
  }
  return c.if_op(c.op("Equal", {dim(self, dim_), 0}),
                 [&]() -> Vals { return {c.op("Identity", {v_i()[0]}), c.op("Identity", {v_i()[1]})}; },
                 [&]() -> Vals { return {c.op("Neg", {v_i()[0]}), v_i()[1] + 1}; });
}

// aten::max_pool2d_with_indices(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1,
//     bool ceil_mode=False) -> (Tensor, Tensor)
// spec/aten/results.yaml:36, opset 7 to 28
Vals aten_max_pool2d_with_indices(Context& c) {
  const auto [self, kernel_size, stride, padding, dilation, ceil_mode] = c.args<6>();
  must("padding", padding, 0);
  must("dilation", dilation, 1);
  must("ceil_mode", ceil_mode, false);
  return {c.op("MaxPool", {self}, {{"kernel_shape", kernel_size}}), Val()};
}

}  // namespace onnxport::generated::results_operators
