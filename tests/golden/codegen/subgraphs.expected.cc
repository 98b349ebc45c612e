// Generated from spec/aten/subgraphs.yaml. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/context.h"
#include "runtime/lowering/cover.h"
#include "runtime/lowering/dispatch.h"
#include "runtime/lowering/hooks.h"
#include "runtime/lowering/val.h"

namespace onnxport::generated {

using namespace lowering;  // NOLINT: generated code reads like the spec

// aten::squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)
// spec/aten/subgraphs.yaml:5, opset 7 to 12
Vals aten_squeeze_dim(Context& c) {
  const Val self = c.arg(0);
  const Val dim_ = c.axis("dim", c.arg(1), self);
  const Val size = dim(self, dim_);
  if (is_static(size) && size == 1) {
    ONNXPORT_COVER("spec/aten/subgraphs.yaml:5 case 1");
    const Val shrunk = c.op("Squeeze", {self}, {{"axes", Vals{dim_}}});
    return {shrunk};
  }
  if (is_static(size)) {
    ONNXPORT_COVER("spec/aten/subgraphs.yaml:5 case 2");
    return {self};
  }
  c.no_case({"is_static(size) and size == 1", "is_static(size)"}, "case 3 exists at opset 13 to 25");
}

// aten::squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)
// spec/aten/subgraphs.yaml:5, opset 13 to 25
Vals aten_squeeze_dim_from13(Context& c) {
  const Val self = c.arg(0);
  const Val dim_ = c.axis("dim", c.arg(1), self);
  const Val size = dim(self, dim_);
  Lazy shrunk([&] { return c.op("Squeeze", {self, Vals{dim_}}); });
  if (is_static(size) && size == 1) {
    ONNXPORT_COVER("spec/aten/subgraphs.yaml:5 case 1");
    return {shrunk()};
  }
  if (is_static(size)) {
    ONNXPORT_COVER("spec/aten/subgraphs.yaml:5 case 2");
    return {self};
  }
  ONNXPORT_COVER("spec/aten/subgraphs.yaml:5 case 3");
  return c.if_op(c.op("Equal", {size, 1}), [&]() -> Vals { return {shrunk()}; }, [&]() -> Vals {
    return {c.op("Identity", {self})};
  });
}

// aten::split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]
// spec/aten/subgraphs.yaml:13, opset 7 to 10
Vals aten_split_Tensor(Context& c) {
  const Val self = c.arg(0);
  const Val split_size = c.arg(1);
  const Val dim_ = c.axis("dim", c.arg(2), self);
  const Val n = dim(self, dim_);
  if (is_static(n)) {
    ONNXPORT_COVER("spec/aten/subgraphs.yaml:13 case 1");
    const Val sizes = Vals{split_size} * FloorDiv(n, split_size);
    return {c.ops("Split", {self}, {{"split", sizes}, {"axis", dim_}}, len(sizes))};
  }
  c.no_case({"is_static(n)"}, "case 2 exists at opset 11 to 25");
}

// aten::split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]
// spec/aten/subgraphs.yaml:13, opset 11 to 12
Vals aten_split_Tensor_from11(Context& c) {
  const Val self = c.arg(0);
  const Val split_size = c.arg(1);
  const Val dim_ = c.axis("dim", c.arg(2), self);
  const Val n = dim(self, dim_);
  if (is_static(n)) {
    ONNXPORT_COVER("spec/aten/subgraphs.yaml:13 case 1");
    const Val sizes = Vals{split_size} * FloorDiv(n, split_size);
    return {c.ops("Split", {self}, {{"split", sizes}, {"axis", dim_}}, len(sizes))};
  }
  ONNXPORT_COVER("spec/aten/subgraphs.yaml:13 case 2");
  return {c.op("SplitToSequence", {self, split_size}, {{"axis", dim_}})};
}

// aten::split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]
// spec/aten/subgraphs.yaml:13, opset 13 to 25
Vals aten_split_Tensor_from13(Context& c) {
  const Val self = c.arg(0);
  const Val split_size = c.arg(1);
  const Val dim_ = c.axis("dim", c.arg(2), self);
  const Val n = dim(self, dim_);
  if (is_static(n)) {
    ONNXPORT_COVER("spec/aten/subgraphs.yaml:13 case 1");
    const Val sizes = Vals{split_size} * FloorDiv(n, split_size);
    return {c.ops("Split", {self, sizes}, {{"axis", dim_}}, len(sizes))};
  }
  ONNXPORT_COVER("spec/aten/subgraphs.yaml:13 case 2");
  return {c.op("SplitToSequence", {self, split_size}, {{"axis", dim_}})};
}

// aten::unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]
// spec/aten/subgraphs.yaml:20, opset 17 to 25
Vals aten_unbind_int_from17(Context& c) {
  const Val self = c.arg(0);
  const Val dim = c.axis("dim", c.arg(1), self);
  const Val pieces = c.op("SplitToSequence", {self}, {{"axis", dim}});
  return {c.map(pieces, [&](const Val& piece) -> Val { return c.op("Squeeze", {piece, Vals{dim}}); })};
}

// aten::cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor
// spec/aten/subgraphs.yaml:27, opset 13 to 25
Vals aten_cumsum_from13(Context& c) {
  const Val self = c.arg(0);
  c.must("dim", c.arg(1), 0);
  c.must("dtype", c.arg(2), Val());
  const Val first = c.op("Gather", {self, 0}, {{"axis", 0}});
  const Val step = c.op("Gather", {self, 1}, {{"axis", 0}});
  const Vals carried_first = {first - first};
  const auto body = [&](const Val& i, const Vals& carried_values) -> Context::LoopStep {
    const Val total = carried_values[0];
    const Val sum = total + c.op("Gather", {self, i}, {{"axis", 0}});
    const Val unused_by_all = step;
    return {.next = {sum}, .scans = {sum + unused_by_all - step}};
  };
  const Vals carried_last = c.loop(dim(self, 0), carried_first, nullptr, body);
  return {carried_last[1]};
}

// aten::sqrt(Tensor self) -> Tensor
// spec/aten/subgraphs.yaml:39, opset 13 to 25
Vals aten_sqrt_from13(Context& c) {
  const Val self = c.arg(0);
  const auto go_on = [&](const Vals& carried_values) -> Val {
    const Val x = carried_values[0];
    return c.op("Less", {c.op("ReduceMax", {x * x}), c.op("ReduceMax", {self})});
  };
  const Vals carried_first = {self - self, 0};
  const auto body = [&](const Val&, const Vals& carried_values) -> Context::LoopStep {
    const Val x = carried_values[0];
    const Val rounds = carried_values[1];
    return {.next = {x + 1, rounds + 1}, .scans = {}};
  };
  const Vals carried_last = c.loop(Val(), carried_first, go_on, body);
  return {carried_last[0] + cast(carried_last[1], self) * 0};
}

}  // namespace onnxport::generated
