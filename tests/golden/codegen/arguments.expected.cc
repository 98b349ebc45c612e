// Generated from spec/aten/arguments.yaml. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/context.h"
#include "runtime/lowering/cover.h"
#include "runtime/lowering/dispatch.h"
#include "runtime/lowering/hooks.h"
#include "runtime/lowering/val.h"

namespace onnxport::generated {

using namespace lowering;  // NOLINT: generated code reads like the spec

// aten::max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool
//     ceil_mode=False) -> Tensor
// spec/aten/arguments.yaml:5, opset 7 to 9
Vals aten_max_pool2d(Context& c) {
  const Val self = c.arg(0);
  const Val kernel_size = repeat_to(c.arg(1), rank(self) - 2);
  return {c.op("MaxPool", {self}, {{"kernel_shape", kernel_size}})};
}

// aten::max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool
//     ceil_mode=False) -> Tensor
// spec/aten/arguments.yaml:5, opset 10 to 25
Vals aten_max_pool2d_from10(Context& c) {
  const Val self = c.arg(0);
  const Val kernel_size = repeat_to(c.arg(1), 2);
  return {c.op("MaxPool", {self}, {{"kernel_shape", kernel_size}})};
}

}  // namespace onnxport::generated
