// Generated from spec/aten/subgraphs.yaml. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/dsl/context.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/lowering/dsl/hooks.h"
#include "runtime/lowering/dsl/builtins.h"

namespace onnxport::generated::subgraphs_operators {

using namespace lowering;  // NOLINT: generated code reads like the spec

// aten::squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)
// spec/aten/subgraphs.yaml:8, opset 7 to 28
Vals aten_squeeze_dim(Context& c) {
  auto [self, dim_] = c.args<2>();
  dim_ = c.axis("dim", dim_, self);
  const Val size = dim(self, dim_);
  Lazy shrunk = c.lazy([&] { return c.op("Squeeze", {self}, {{"axes", Vals{dim_}}}); });
  if (is_static(size) && size == 1) {
    return {shrunk()};
  }
  if (is_static(size)) {
    return {self};
  }
  if (c.opset() >= 13) {
    return c.if_op(c.op("Equal", {size, 1}), [&]() -> Vals { return {shrunk()}; },
                   [&]() -> Vals { return {c.op("Identity", {self})}; });
  }
  no_case({"is_static(size) and size == 1", "is_static(size)", "opset >= 13"});
}

// aten::split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]
// spec/aten/subgraphs.yaml:28, opset 7 to 28
Vals aten_split_Tensor(Context& c) {
  auto [self, split_size, dim_] = c.args<3>();
  dim_ = c.axis("dim", dim_, self);
  const Val n = dim(self, dim_);
  if (is_static(n)) {
    const Val sizes = Vals{split_size} * FloorDiv(n, split_size);
    return {c.ops("Split", {self}, {{"split", sizes}, {"axis", dim_}}, len(sizes))};
  }
  if (c.opset() >= 11) {
    return {c.op("SplitToSequence", {self}, {{"split", split_size}, {"axis", dim_}})};
  }
  no_case({"is_static(n)", "opset >= 11"});
}

// aten::unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]
// spec/aten/subgraphs.yaml:43, opset 17 to 28
Vals aten_unbind_int(Context& c) {
  auto [self, dim] = c.args<2>();
  dim = c.axis("dim", dim, self);
  const Val pieces = c.op("SplitToSequence", {self}, {{"axis", dim}});
  return {c.map(pieces, [&](const Val& piece) -> Val { return c.op("Squeeze", {piece}, {{"axes", Vals{dim}}}); })};
}

// aten::cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor
// spec/aten/subgraphs.yaml:55, opset 13 to 28
Vals aten_cumsum(Context& c) {
  const auto [self, dim_, dtype] = c.args<3>();
  must("dim", dim_, 0);
  must("dtype", dtype, Val());
  const Val first = c.op("Gather", {self, 0}, {{"axis", 0}});
  const Val step = c.op("Gather", {self, 1}, {{"axis", 0}});
  const auto round = [&](const Val& i, const Vals& carried) -> Context::LoopStep {
    const Val total = carried[0];
    const Val sum = total + c.op("Gather", {self, i}, {{"axis", 0}});
    const Val unused_by_all = step;
    return {.next = {sum}, .scans = {sum + unused_by_all - step}};
  };
  const Vals results = c.loop(dim(self, 0), {first - first}, nullptr, round);
  const auto [total, sums] = Unpack<2>(results);
  return {sums};
}

// aten::sqrt(Tensor self) -> Tensor
// spec/aten/subgraphs.yaml:79, opset 13 to 28
Vals aten_sqrt(Context& c) {
  const Val self = c.arg(0);
  const auto go_on = [&](const Vals& carried) -> Val {
    const auto [x, unused] = Unpack<2>(carried);
    return c.op("Less", {c.op("ReduceMax", {x * x}), c.op("ReduceMax", {self})});
  };
  const auto round = [&](const Val&, const Vals& carried) -> Context::LoopStep {
    const auto [x, rounds] = Unpack<2>(carried);
    return {.next = {x + 1, rounds + 1}, .scans = {}};
  };
  const Vals results = c.loop(Val(), {self - self, 0}, go_on, round);
  const auto [x, rounds] = Unpack<2>(results);
  return {x + cast(rounds, self) * 0};
}

}  // namespace onnxport::generated::subgraphs_operators
