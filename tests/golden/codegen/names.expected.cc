// Generated from spec/aten/names.yaml. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/dsl/context.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/lowering/dsl/hooks.h"
#include "runtime/lowering/dsl/builtins.h"

namespace onnxport::generated::names_operators {

using namespace lowering;  // NOLINT: generated code reads like the spec

// spec/aten/names.yaml:7
static Val def_constant(Context&, const Val& x) {
  return x + x;
}

// spec/aten/names.yaml:10
static Val pairs(Context& c, const Val& c_) {
  return Map(c_, [&](const Val& Map_) { return def_constant(c, Map_); });
}

// aten::cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor
// spec/aten/names.yaml:14, opset 13 to 28
Vals aten_cumsum(Context& c) {
  const auto [self, dim_, dtype] = c.args<3>();
  must("dim", dim_, 0);
  must("dtype", dtype, Val());
  const Val must_ = c.op("Gather", {self, 0}, {{"axis", 0}});
  const Val carried = dim(self, 0);
  const Val results = carried;
  const Val carried_2 = must_ - must_;
  const auto go_on_2 = [&](const Vals& carried_3) -> Val {
    const Val total = carried_3[0];
    return c.op("Less", {c.op("ReduceMax", {total}, {{"keepdims", 0}}), 1e+30});
  };
  const auto round = [&](const Val& i, const Vals& carried_3) -> Context::LoopStep {
    const Val total = carried_3[0];
    const Val go_on = total + c.op("Gather", {self, i}, {{"axis", 0}});
    return {.next = {go_on}, .scans = {go_on}};
  };
  const Vals results_2 = c.loop(results, {carried_2}, go_on_2, round);
  const auto [total, sums] = Unpack<2>(results_2);
  return {sums + (must_ - must_)};
}

// aten::cat(Tensor[] tensors, int dim=0) -> Tensor
// spec/aten/names.yaml:40, opset 7 to 28
Vals aten_cat(Context& c) {
  const auto [tensors, dim] = c.args<2>();
  const Val every_t = len(tensors);
  const Val unused = every_t;
  Val a = 0;
  Val next_a = 1;
  Vals t_t_k;
  for (const Val& t_t_k_2 : zip(tensors, range(unused)).AsList()) {
    t_t_k.push_back(t_t_k_2[0]);
    const Val next_a_2 = next_a;
    const Val next_next_a = a + t_t_k_2[1];
    a = next_a_2;
    next_a = next_next_a;
  }
  return {c.op("Concat", {Splat(t_t_k)}, {{"axis", dim + (a + next_a) * 0}})};
}

// aten::max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)
// spec/aten/names.yaml:59, opset 11 to 28
Vals aten_max_dim(Context& c) {
  auto [self, dim_2, keepdim] = c.args<3>();
  dim_2 = c.axis("dim", dim_2, self);
  const Val dim_ = rank(self);
  Lazy y_i = c.lazy([&] { return dim_ - rank(self) + 1; });
  Lazy y_i_2 = c.lazy([&] { return c.ops("TopK", {self}, {{"K", Vals{y_i()}}, {"axis", dim_2}}, 2); });
  if (keepdim) {
    return {y_i_2()[0], y_i_2()[1]};
  }
  if (is_static(dim(self, dim_2))) {
    return {c.op("Squeeze", {y_i_2()[0]}, {{"axes", Vals{dim_2}}}),
            c.op("Squeeze", {y_i_2()[1]}, {{"axes", Vals{dim_2}}})};
  }
  no_case({"keepdim", "is_static(dim(self, dim))"});
}

// aten::stack(Tensor[] tensors, int dim=0) -> Tensor
// spec/aten/names.yaml:79, opset 7 to 28
Vals aten_stack(Context& c) {
  const auto [tensors, dim] = c.args<2>();
  const Val hooks_ = pairs(c, Vals{1, 0});
  const Val EOF_ = Map(zip(hooks_, hooks_), [&](const Val& x_y) { return x_y[0] + x_y[1] + 0; });
  const auto vals = [&](const Val& Lazy_) -> Val { return c.op("Unsqueeze", {Lazy_}, {{"axes", Vals{dim}}}); };
  return {c.op("Concat", {Splat(Map(tensors, [&](const Val& std_) { return vals(std_); }))},
               {{"axis", dim + EOF_[1] * 0}})};
}

// aten::nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor
// spec/aten/names.yaml:91, opset 10 to 28
Vals aten_nan_to_num(Context& c) {
  const auto [self, nan, posinf] = c.args<3>();
  const Val number = present(nan) ? nan : to_float("nan");
  const Val infinite = c.op("IsInf", {self});
  const auto first = [&](const Val& x) -> Val {
    return c.op("Where", {infinite, c.constant(posinf == nan ? INFINITY : -INFINITY, self), x});
  };
  return {c.op("Where", {c.op("IsNaN", {self}), c.constant(number, self), first(self)})};
}

}  // namespace onnxport::generated::names_operators
