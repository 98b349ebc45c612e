// Generated from spec/aten/domain.yaml. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/dsl/context.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/lowering/dsl/hooks.h"
#include "runtime/lowering/dsl/builtins.h"

namespace onnxport::generated::domain_operators {

using namespace lowering;  // NOLINT: generated code reads like the spec

// aten::gelu(Tensor self, *, str approximate="none") -> Tensor
// spec/aten/domain.yaml:7, opset 7 to 28
Vals aten_gelu(Context& c) {
  const Val self = c.arg(0);
  const Val fused = c.has_domain("com.microsoft");
  if (fused) {
    return {c.op("Tanh", {self})};
  }
  if (c.keeps_training()) {
    return {c.op("Sigmoid", {self})};
  }
  return {c.op("Relu", {self})};
}

}  // namespace onnxport::generated::domain_operators
