// Generated from spec/aten/gelu.yaml. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/context.h"
#include "runtime/lowering/cover.h"
#include "runtime/lowering/dispatch.h"
#include "runtime/lowering/hooks.h"
#include "runtime/lowering/val.h"

namespace onnxport::generated {

using namespace lowering;  // NOLINT: generated code reads like the spec

// aten::gelu(Tensor self, *, str approximate="none") -> Tensor
// spec/aten/gelu.yaml:5, opset 7 to 8
Vals aten_gelu(Context& c) {
  const Val self = c.arg(0);
  const Val approximate = c.arg(1);
  if (approximate == "tanh") {
    ONNXPORT_COVER("spec/aten/gelu.yaml:5 case 4");
    return {0.5 * self * (1.0 + c.op("Tanh", {0.7978845608028654 * (self + 0.044715 * self * self * self)}))};
  }
  c.no_case({"approximate == \"tanh\""}, "case 1 exists at opset 20 to 25; case 3 exists at opset 9 to 19");
}

// aten::gelu(Tensor self, *, str approximate="none") -> Tensor
// spec/aten/gelu.yaml:5, opset 9 to 19
Vals aten_gelu_from9(Context& c) {
  const Val self = c.arg(0);
  const Val approximate = c.arg(1);
  if (approximate == "none") {
    ONNXPORT_COVER("spec/aten/gelu.yaml:5 case 3");
    return {0.5 * self * (1.0 + c.op("Erf", {self / 1.4142135623730951}))};
  }
  if (approximate == "tanh") {
    ONNXPORT_COVER("spec/aten/gelu.yaml:5 case 4");
    return {0.5 * self * (1.0 + c.op("Tanh", {0.7978845608028654 * (self + 0.044715 * self * self * self)}))};
  }
  c.no_case({"approximate == \"none\"", "approximate == \"tanh\""}, "case 1 exists at opset 20 to 25");
}

// aten::gelu(Tensor self, *, str approximate="none") -> Tensor
// spec/aten/gelu.yaml:5, opset 20 to 25
Vals aten_gelu_from20(Context& c) {
  const Val self = c.arg(0);
  const Val approximate = c.arg(1);
  ONNXPORT_COVER("spec/aten/gelu.yaml:5 case 1");
  return {c.op("Gelu", {self}, {{"approximate", approximate}})};
}

}  // namespace onnxport::generated
