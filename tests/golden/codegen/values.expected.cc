// Generated from spec/aten/values.yaml. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/dsl/context.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/lowering/dsl/hooks.h"
#include "runtime/lowering/dsl/builtins.h"

namespace onnxport::generated::values_operators {

using namespace lowering;  // NOLINT: generated code reads like the spec

// aten::grid_sampler(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor
// spec/aten/values.yaml:7, opset 16 to 19
Vals aten_grid_sampler(Context& c) {
  auto [input, grid, interpolation_mode, padding_mode, align_corners] = c.args<5>();
  interpolation_mode = one_of("interpolation_mode", interpolation_mode,
                              {{0, "bilinear"}, {1, "nearest"}, {2, "bicubic"}});
  padding_mode = one_of("padding_mode", padding_mode, {{0, "zeros"}, {1, "border"}, {2, "reflection"}});
  return {c.op("GridSample", {input, grid},
               {{"mode", interpolation_mode}, {"padding_mode", padding_mode}, {"align_corners", align_corners}})};
}

// aten::permute(Tensor(a) self, int[] dims) -> Tensor(a)
// spec/aten/values.yaml:19, opset 7 to 28
Vals aten_permute(Context& c) {
  const auto [self, dims] = c.args<2>();
  const Val r = rank(self);
  const Val p = Map(dims, [&](const Val& d) { return normal_axis(d, r); });
  const Val moved = Map(Filter(enumerate(p), [&](const Val& i_d) { return i_d[0] != i_d[1]; }), [&](const Val& i_d) {
    return Vals{i_d[0], i_d[1]};
  });
  if (!moved) {
    return {self};
  }
  return {c.op("Transpose", {self}, {{"perm", p}})};
}

}  // namespace onnxport::generated::values_operators
