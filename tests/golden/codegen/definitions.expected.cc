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
    refuse("signs need opset 9");
  }
  return c.op("Sign", {x});
}

// spec/aten/definitions.yaml:11
static Val rounded(Context& c, const Val& x) {
  if (c.opset() < 11) {
    refuse("`rounded` needs opset 11");
  }
  return c.op("Round", {x});
}

// spec/aten/definitions.yaml:41
static Val sum_of(Context&, const Val& a, const Val& b) {
  return a + b;
}

// spec/aten/definitions.yaml:28
static Val summed_with_sum_of(Context& c, const Val& xs, const Val& first) {
  Val sum = first;
  Vals sums;
  for (const Val& x : xs.AsList()) {
    sums.push_back(sum);
    sum = sum_of(c, sum, x);
  }
  return Vals{sum, Val(sums)};
}

// spec/aten/definitions.yaml:87
static Val is_large(Context& c, const Val& t) {
  return c.op("Greater", {c.op("ReduceMax", {t}, {{"keepdims", 0}}), 1.0});
}

// spec/aten/definitions.yaml:70
static Val halved_with_is_large(Context& c, const Val& x, const Val& y) {
  if (c.opset() < 13) {
    refuse("`halved_with_is_large` needs opset 13");
  }
  const auto go_on = [&](const Vals& carried) -> Val {
    const auto [now, unused, unused_2] = Unpack<3>(carried);
    return is_large(c, now);
  };
  const auto round = [&](const Val&, const Vals& carried) -> Context::LoopStep {
    const auto [now, other, rounds] = Unpack<3>(carried);
    return {.next = {now * 0.5, present(other) ? other + 1.0 : Val(), rounds + 1}, .scans = {}};
  };
  const Vals results = c.loop(Val(), {x, y, 0}, go_on, round);
  const auto [now, other, rounds] = Unpack<3>(results);
  return Vals{now, other, rounds};
}

// spec/aten/definitions.yaml:90
static Val first_of_with_is_large(Context& c, const Val& x, const Val& y) {
  const Val r = halved_with_is_large(c, x, y);
  return r[0];
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

// aten::stack(Tensor[] tensors, int dim=0) -> Tensor
// spec/aten/definitions.yaml:45, opset 7 to 28
Vals aten_stack(Context& c) {
  const Val tensors = c.arg(0);
  const Val added = summed_with_sum_of(c, tensors, 0);
  return {added[0] + summed_with_sum_of(c, tensors, 0)[1][1]};
}

// aten::cat(Tensor[] tensors, int dim=0) -> Tensor
// spec/aten/definitions.yaml:56, opset 7 to 28
Vals aten_cat(Context& c) {
  const auto [tensors, dim] = c.args<2>();
  const Val first = tensors[0];
  const auto joined = [&](const Val& a, const Val& b) -> Val {
    const Val both = c.op("Concat", {a, b}, {{"axis", dim}});
    return c.op("Identity", {both});
  };
  const auto summed_with_joined = [&](const Val& xs, const Val& first_2) -> Val {
    Val sum = first_2;
    Vals sums;
    for (const Val& x : xs.AsList()) {
      sums.push_back(sum);
      sum = joined(sum, x);
    }
    return Vals{sum, Val(sums)};
  };
  const Val rest = summed_with_joined(tensors.Slice(1, Val()), first);
  return {rest[0]};
}

// aten::relu(Tensor self) -> Tensor
// spec/aten/definitions.yaml:96, opset 7 to 28
Vals aten_relu(Context& c) {
  const Val self = c.arg(0);
  return {first_of_with_is_large(c, self, Val())};
}

}  // namespace onnxport::generated::definitions_operators
