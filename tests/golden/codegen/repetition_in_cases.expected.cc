// Generated from spec/aten/repetition_in_cases.yaml. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/dsl/context.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/lowering/dsl/hooks.h"
#include "runtime/lowering/dsl/builtins.h"

namespace onnxport::generated::repetition_in_cases_operators {

using namespace lowering;  // NOLINT: generated code reads like the spec

// aten::stack(Tensor[] tensors, int dim=0) -> Tensor
// spec/aten/repetition_in_cases.yaml:7, opset 7 to 28
Vals aten_stack(Context& c) {
  const auto [tensors, dim] = c.args<2>();
  const Val last = len(tensors) - 1;
  Lazy some = c.lazy([&] { return c.op("Identity", {tensors[last]}); });
  if (c.opset() >= 18 && dim == 0) {
    return {c.op("Concat", {Splat(tensors)}, {{"axis", dim}})};
  }
  if (dim == 1) {
    Val sum = 0;
    for (const Val& t : tensors.AsList()) {
      const Val x = t + some();
      sum = sum + x;
    }
    return {sum + 1};
  }
  Val sum = 0;
  for (const Val& t : tensors.AsList()) {
    const Val x = t + some();
    sum = sum + x;
  }
  return {sum};
}

}  // namespace onnxport::generated::repetition_in_cases_operators
