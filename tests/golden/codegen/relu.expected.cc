// Generated from spec/aten/relu.yaml. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/dsl/context.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/lowering/dsl/hooks.h"
#include "runtime/lowering/dsl/builtins.h"

namespace onnxport::generated::relu_operators {

using namespace lowering;  // NOLINT: generated code reads like the spec

// aten::relu(Tensor self) -> Tensor
// spec/aten/relu.yaml:6, opset 7 to 28
Vals aten_relu(Context& c) {
  const Val self = c.arg(0);
  if (is_int(self) && c.opset() >= 12) {
    return {c.op("Max", {self, 0})};
  }
  c.compute_in({.integers = DType::kFloat32});
  return {c.op("Relu", {self})};
}

}  // namespace onnxport::generated::relu_operators
