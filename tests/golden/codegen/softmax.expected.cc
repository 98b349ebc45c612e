// Generated from spec/aten/softmax.yaml. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/dsl/context.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/lowering/dsl/hooks.h"
#include "runtime/lowering/dsl/builtins.h"

namespace onnxport::generated::softmax_operators {

using namespace lowering;  // NOLINT: generated code reads like the spec

// aten::softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor
// aten::special_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor
// spec/aten/softmax.yaml:6, opset 7 to 28
Vals aten_softmax_int(Context& c) {
  auto [self, dim, dtype] = c.args<3>();
  dim = c.axis("dim", dim, self);
  const Val x = cast(self, dtype);
  const Val last = rank(self) - 1;
  if (rank(self) == 0) {
    return {c.op("Reshape", {c.op("Softmax", {c.op("Reshape", {x, Vals{1}})}, {{"axis", 0}}), Vals{}})};
  }
  if (c.opset() >= 13 || dim == last) {
    return {c.op("Softmax", {x}, {{"axis", dim}})};
  }
  const Val p = swap(range(rank(self)), dim, last);
  return {c.op("Transpose", {c.op("Softmax", {c.op("Transpose", {x}, {{"perm", p}})}, {{"axis", last}})},
               {{"perm", p}})};
}

}  // namespace onnxport::generated::softmax_operators
