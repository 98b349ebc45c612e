// Generated from spec/aten/rows.yaml. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/context.h"
#include "runtime/lowering/cover.h"
#include "runtime/lowering/dispatch.h"
#include "runtime/lowering/hooks.h"
#include "runtime/lowering/val.h"

namespace onnxport::generated {

using namespace lowering;  // NOLINT: generated code reads like the spec

// aten::erf(Tensor self) -> Tensor
// spec/aten/rows.yaml:5, opset 9 to 25
static constexpr int8_t aten_erf_row_from9_inputs[] = {0};
extern const NodeRow aten_erf_row_from9 = {"Erf", aten_erf_row_from9_inputs, {}};

// aten::amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor
// spec/aten/rows.yaml:6, opset 7 to 17
static constexpr int8_t aten_amax_row_inputs[] = {0};
static constexpr NodeRow::RowAttr aten_amax_row_attrs[] = {{"axes", 1}, {"keepdims", 2}};
extern const NodeRow aten_amax_row = {"ReduceMax", aten_amax_row_inputs, aten_amax_row_attrs};

// aten::amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor
// spec/aten/rows.yaml:6, opset 18 to 25
static constexpr int8_t aten_amax_row_from18_inputs[] = {0, 1};
static constexpr NodeRow::RowAttr aten_amax_row_from18_attrs[] = {{"keepdims", 2}};
extern const NodeRow aten_amax_row_from18 = {"ReduceMax", aten_amax_row_from18_inputs, aten_amax_row_from18_attrs};

// aten::clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor
// aten::contiguous(Tensor(a) self, *, MemoryFormat memory_format=0) -> Tensor(a)
// spec/aten/rows.yaml:7, opset 7 to 25
Vals aten_clone(Context& c) {
  const Val self = c.arg(0);
  return {self};
}

// aten::topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, Tensor indices)
// spec/aten/rows.yaml:10, opset 11 to 25
Vals aten_topk_from11(Context& c) {
  const Val self = c.arg(0);
  const Val k = c.arg(1);
  const Val dim = c.arg(2);
  const Val largest = c.arg(3);
  return c.ops("TopK", {self, Vals{k}}, {{"axis", dim}, {"largest", largest}}, 2).AsList();
}

}  // namespace onnxport::generated
