// Generated from spec/aten/gelu.yaml. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/dsl/context.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/lowering/dsl/hooks.h"
#include "runtime/lowering/dsl/builtins.h"

namespace onnxport::generated::gelu_operators {

using namespace lowering;  // NOLINT: generated code reads like the spec

// aten::gelu(Tensor self, *, str approximate="none") -> Tensor
// spec/aten/gelu.yaml:6, opset 7 to 28
Vals aten_gelu(Context& c) {
  const auto [self, approximate] = c.args<2>();
  if (c.opset() >= 20) {
    return {c.op("Gelu", {self}, {{"approximate", approximate}})};
  }
  if (c.opset() >= 9 && approximate == "none") {
    return {0.5 * self * (1.0 + c.op("Erf", {self / 1.4142135623730951}))};
  }
  if (approximate == "tanh") {
    return {0.5 * self * (1.0 + c.op("Tanh", {0.7978845608028654 * (self + 0.044715 * self * self * self)}))};
  }
  no_case({"opset >= 20", "opset >= 9 and approximate == \"none\"", "approximate == \"tanh\""});
}

}  // namespace onnxport::generated::gelu_operators
