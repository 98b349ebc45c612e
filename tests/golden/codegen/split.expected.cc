// Generated from spec/aten/split.yaml. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/context.h"
#include "runtime/lowering/cover.h"
#include "runtime/lowering/dispatch.h"
#include "runtime/lowering/hooks.h"
#include "runtime/lowering/val.h"

namespace onnxport::generated {

using namespace lowering;  // NOLINT: generated code reads like the spec

// aten::split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]
// spec/aten/split.yaml:5, opset 7 to 12
Vals aten_split_Tensor(Context& c) {
  const Val self = c.arg(0);
  const Val split_size = c.arg(1);
  const Val dim_ = c.axis("dim", c.arg(2), self);
  const Val n = dim(self, dim_);
  if (is_static(n)) {
    const Val rest = n % split_size ? Vals{n % split_size} : Vals{};
    const Val sizes = Vals{split_size} * FloorDiv(n, split_size) + rest;
    return {c.ops("Split", {self}, {{"split", sizes}, {"axis", dim_}}, len(sizes))};
  }
  c.no_case({"is_static(n)"}, "");
}

// aten::split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]
// spec/aten/split.yaml:5, opset 13 to 25
Vals aten_split_Tensor_from13(Context& c) {
  const Val self = c.arg(0);
  const Val split_size = c.arg(1);
  const Val dim_ = c.axis("dim", c.arg(2), self);
  const Val n = dim(self, dim_);
  if (is_static(n)) {
    const Val rest = n % split_size ? Vals{n % split_size} : Vals{};
    const Val sizes = Vals{split_size} * FloorDiv(n, split_size) + rest;
    return {c.ops("Split", {self, sizes}, {{"axis", dim_}}, len(sizes))};
  }
  c.no_case({"is_static(n)"}, "");
}

// aten::split_with_sizes(Tensor(a -> *) self, SymInt[] split_sizes, int dim=0) -> Tensor(a)[]
// spec/aten/split.yaml:5, opset 7 to 12
Vals aten_split_with_sizes(Context& c) {
  const Val self = c.arg(0);
  const Val split_sizes = c.arg(1);
  const Val dim_ = c.axis("dim", c.arg(2), self);
  const Val sizes = split_sizes;
  return {c.ops("Split", {self}, {{"split", sizes}, {"axis", dim_}}, len(sizes))};
}

// aten::split_with_sizes(Tensor(a -> *) self, SymInt[] split_sizes, int dim=0) -> Tensor(a)[]
// spec/aten/split.yaml:5, opset 13 to 25
Vals aten_split_with_sizes_from13(Context& c) {
  const Val self = c.arg(0);
  const Val split_sizes = c.arg(1);
  const Val dim_ = c.axis("dim", c.arg(2), self);
  const Val sizes = split_sizes;
  return {c.ops("Split", {self, sizes}, {{"axis", dim_}}, len(sizes))};
}

}  // namespace onnxport::generated
