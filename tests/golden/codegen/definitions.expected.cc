// Generated from spec/aten/definitions.yaml. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/dsl/context.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/lowering/dsl/hooks.h"
#include "runtime/lowering/dsl/builtins.h"

namespace onnxport::generated::definitions_operators {

using namespace lowering;  // NOLINT: generated code reads like the spec

// spec/aten/definitions.yaml:6
static Val signs(Context& c, const Val& x) {
  if (c.opset() < 9) {
    c.refuse("signs need opset 9");
  }
  return c.op("Sign", {x});
}

// spec/aten/definitions.yaml:11
static Val rounded(Context& c, const Val& x) {
  if (c.opset() < 11) {
    c.refuse("`rounded` needs opset 11");
  }
  return c.op("Round", {x});
}

// aten::sign(Tensor self) -> Tensor
// spec/aten/definitions.yaml:16, opset 7 to 28
Vals aten_sign(Context& c) {
  const Val self = c.arg(0);
  return {signs(c, self)};
}

// aten::round(Tensor self) -> Tensor
// spec/aten/definitions.yaml:22, opset 7 to 28
Vals aten_round(Context& c) {
  const Val self = c.arg(0);
  return {rounded(c, self)};
}

}  // namespace onnxport::generated::definitions_operators
