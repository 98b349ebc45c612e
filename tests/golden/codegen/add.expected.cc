// Generated from spec/aten/add.yaml. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/dsl/context.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/lowering/dsl/hooks.h"
#include "runtime/lowering/dsl/builtins.h"

namespace onnxport::generated::add_operators {

using namespace lowering;  // NOLINT: generated code reads like the spec

// aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
// aten::add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor
// spec/aten/add.yaml:7, opset 7 to 28
Vals aten_add_Tensor(Context& c) {
  auto [self, other, alpha] = c.args<3>();
  c.promote({&self, &other}, PromoteKind::kDefault);
  if (dtype(self) == DType::kBool) {
    return {c.op("Or", {self, other})};
  }
  if (alpha == 1) {
    return {self + other};
  }
  return {self + other * alpha};
}

}  // namespace onnxport::generated::add_operators
