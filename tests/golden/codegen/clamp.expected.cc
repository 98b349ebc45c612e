// Generated from spec/aten/clamp.yaml. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/dsl/context.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/lowering/dsl/hooks.h"
#include "runtime/lowering/dsl/builtins.h"

namespace onnxport::generated::clamp_operators {

using namespace lowering;  // NOLINT: generated code reads like the spec

// aten::clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor
// spec/aten/clamp.yaml:6, opset 7 to 28
Vals aten_clamp(Context& c) {
  auto [self, min, max] = c.args<3>();
  c.promote({&self, &min, &max}, PromoteKind::kDefault);
  if (!present(min) && !present(max)) {
    return {self};
  }
  c.compute_in({.integers = DType::kFloat32});
  return {c.op("Clip", {self}, {{"min", min}, {"max", max}})};
}

}  // namespace onnxport::generated::clamp_operators
