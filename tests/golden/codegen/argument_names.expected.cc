// Generated from spec/aten/argument_names.yaml. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/dsl/context.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/lowering/dsl/hooks.h"
#include "runtime/lowering/dsl/builtins.h"

namespace onnxport::generated::argument_names_operators {

using namespace lowering;  // NOLINT: generated code reads like the spec

// spec/aten/argument_names.yaml:7
static Val limit(Context&) {
  return INFINITY;
}

// spec/aten/argument_names.yaml:10
static Val of_newer(Context& c, const Val& x) {
  return c.opset() >= 13 ? x : c.op("Neg", {x});
}

// odd::names(Tensor self, float nan, float inf, float pi, int opset, ScalarType? float32=None, bool true=False, int?
//     none=None, int lambda=1, int int64_max=2, int new=3, int outputs=4, int cast=5) -> Tensor
// spec/aten/argument_names.yaml:13, opset 8 to 28
Vals odd_names(Context& c) {
  const auto [self, nan, inf, pi, opset, float32, true_, none, lambda, int64_max, new_, outputs, cast_] = c.args<13>();
  must("nan", nan, NAN);
  const auto bent = [&](const Val& x) -> Val { return opset == 7 ? x * inf : x; };
  if (opset == 9) {
    return {of_newer(c, self)};
  }
  if (c.opset() >= 13 && Contains(Vals{outputs, cast_}, opset)) {
    return {c.op("Identity", {self})};
  }
  const Val number = true_ ? 1.0 : nan + inf + limit(c) - pi * -inf;
  const Val whole = opset + lambda - int64_max + new_ + outputs + cast_;
  const Val k = present(none) ? none : 0;
  return {bent(cast(self, float32) * number) + whole * k};
}

}  // namespace onnxport::generated::argument_names_operators
