// Generated from spec/aten/leaky_relu.yaml. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/dsl/context.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/lowering/dsl/hooks.h"
#include "runtime/lowering/dsl/builtins.h"

namespace onnxport::generated::leaky_relu_operators {

using namespace lowering;  // NOLINT: generated code reads like the spec

// aten::leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor
// spec/aten/leaky_relu.yaml:6, opset 7 to 28
Vals aten_leaky_relu(Context& c) {
  const auto [self, negative_slope] = c.args<2>();
  return {c.op("LeakyRelu", {self}, {{"alpha", negative_slope}})};
}

}  // namespace onnxport::generated::leaky_relu_operators
