// Generated from spec/aten/split.yaml. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/dsl/context.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/lowering/dsl/hooks.h"
#include "runtime/lowering/dsl/builtins.h"

namespace onnxport::generated::split_operators {

using namespace lowering;  // NOLINT: generated code reads like the spec

// aten::split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]
// spec/aten/split.yaml:7, opset 7 to 28
Vals aten_split_Tensor(Context& c) {
  auto [self, split_size, dim_] = c.args<3>();
  dim_ = c.axis("dim", dim_, self);
  const Val n = dim(self, dim_);
  if (is_static(n)) {
    const Val rest = n % split_size ? Vals{n % split_size} : Vals{};
    const Val sizes = Vals{split_size} * FloorDiv(n, split_size) + rest;
    return {c.ops("Split", {self}, {{"split", sizes}, {"axis", dim_}}, len(sizes))};
  }
  no_case({"is_static(n)"});
}

// aten::split_with_sizes(Tensor(a -> *) self, SymInt[] split_sizes, int dim=0) -> Tensor(a)[]
// spec/aten/split.yaml:7, opset 7 to 28
Vals aten_split_with_sizes(Context& c) {
  auto [self, split_sizes, dim_] = c.args<3>();
  dim_ = c.axis("dim", dim_, self);
  const Val sizes = split_sizes;
  return {c.ops("Split", {self}, {{"split", sizes}, {"axis", dim_}}, len(sizes))};
}

}  // namespace onnxport::generated::split_operators
