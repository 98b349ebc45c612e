// Generated from spec/aten/rows.yaml. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/dsl/context.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/lowering/dsl/hooks.h"
#include "runtime/lowering/dsl/builtins.h"

namespace onnxport::generated::rows_operators {

using namespace lowering;  // NOLINT: generated code reads like the spec

// aten::erf(Tensor self) -> Tensor
// spec/aten/rows.yaml:6, opset 9 to 28
Vals aten_erf(Context& c) {
  const Val self = c.arg(0);
  return {c.op("Erf", {self})};
}

// aten::amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor
// spec/aten/rows.yaml:13, opset 7 to 28
Vals aten_amax(Context& c) {
  const auto [self, dim, keepdim] = c.args<3>();
  return {c.op("ReduceMax", {self}, {{"axes", dim}, {"keepdims", keepdim}})};
}

// aten::clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor
// aten::contiguous(Tensor(a) self, *, MemoryFormat memory_format=0) -> Tensor(a)
// spec/aten/rows.yaml:20, opset 7 to 28
Vals aten_clone(Context& c) {
  const Val self = c.arg(0);
  return {self};
}

// aten::topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, Tensor indices)
// spec/aten/rows.yaml:40, opset 11 to 28
Vals aten_topk(Context& c) {
  const auto [self, k, dim, largest] = c.args<4>();
  return c.ops("TopK", {self, Vals{k}}, {{"axis", dim}, {"largest", largest}}, 2).AsList();
}

}  // namespace onnxport::generated::rows_operators
