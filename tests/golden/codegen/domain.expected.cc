// Generated from spec/aten/domain.yaml. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/context.h"
#include "runtime/lowering/dispatch.h"
#include "runtime/lowering/hooks.h"
#include "runtime/lowering/val.h"

namespace onnxport::generated {

using namespace lowering;  // NOLINT: generated code reads like the spec

// aten::gelu(Tensor self, *, str approximate="none") -> Tensor
// spec/aten/domain.yaml:7, opset 7 to 28
Vals aten_gelu(Context& c) {
  const Val self = c.arg(0);
  return {c.op("Relu", {self})};
}

}  // namespace onnxport::generated
