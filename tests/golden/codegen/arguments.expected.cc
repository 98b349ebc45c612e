// Generated from spec/aten/arguments.yaml. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/dsl/context.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/lowering/dsl/hooks.h"
#include "runtime/lowering/dsl/builtins.h"

namespace onnxport::generated::arguments_operators {

using namespace lowering;  // NOLINT: generated code reads like the spec

// aten::max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool
//     ceil_mode=False) -> Tensor
// spec/aten/arguments.yaml:8, opset 7 to 28
Vals aten_max_pool2d(Context& c) {
  auto [self, kernel_size] = c.args<2>();
  kernel_size = repeat_to(kernel_size, c.opset() >= 10 ? 2 : rank(self) - 2);
  return {c.op("MaxPool", {self}, {{"kernel_shape", kernel_size}})};
}

}  // namespace onnxport::generated::arguments_operators
