// Generated from spec/aten/values.yaml. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/context.h"
#include "runtime/lowering/cover.h"
#include "runtime/lowering/dispatch.h"
#include "runtime/lowering/hooks.h"
#include "runtime/lowering/val.h"

namespace onnxport::generated {

using namespace lowering;  // NOLINT: generated code reads like the spec

// aten::grid_sampler(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor
// spec/aten/values.yaml:5, opset 16 to 19
Vals aten_grid_sampler_from16(Context& c) {
  const Val input = c.arg(0);
  const Val grid = c.arg(1);
  const Val interpolation_mode = c.one_of("interpolation_mode", c.arg(2),
                                          {{0, "bilinear"}, {1, "nearest"}, {2, "bicubic"}});
  const Val padding_mode = c.one_of("padding_mode", c.arg(3), {{0, "zeros"}, {1, "border"}, {2, "reflection"}});
  const Val align_corners = c.arg(4);
  return {c.op("GridSample", {input, grid},
               {{"mode", interpolation_mode}, {"padding_mode", padding_mode}, {"align_corners", align_corners}})};
}

// aten::permute(Tensor(a) self, int[] dims) -> Tensor(a)
// spec/aten/values.yaml:11, opset 7 to 25
Vals aten_permute(Context& c) {
  const Val self = c.arg(0);
  const Val dims = c.arg(1);
  const Val r = rank(self);
  const Val p = Map(dims, [&](const Val& d) { return normal_axis(d, r); });
  const Val moved = Map(Filter(enumerate(p), [&](const Val& i_d) { return i_d[0] != i_d[1]; }), [&](const Val& i_d) {
    return Vals{i_d[0], i_d[1]};
  });
  if (!moved) {
    ONNXPORT_COVER("spec/aten/values.yaml:11 case 1");
    return {self};
  }
  ONNXPORT_COVER("spec/aten/values.yaml:11 case 2");
  return {c.op("Transpose", {self}, {{"perm", p}})};
}

}  // namespace onnxport::generated
