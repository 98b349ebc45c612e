// Generated from spec/aten/lazy_names.yaml. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/dsl/context.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/lowering/dsl/hooks.h"
#include "runtime/lowering/dsl/builtins.h"

namespace onnxport::generated::lazy_names_operators {

using namespace lowering;  // NOLINT: generated code reads like the spec

// aten::expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)
// spec/aten/lazy_names.yaml:7, opset 13 to 28
Vals aten_expand(Context& c) {
  const auto [self, size] = c.args<2>();
  Lazy wide = c.lazy([&] { return c.op("Expand", {self, size}); });
  Lazy same = c.lazy([&] { return wide(); });
  if (len(size) == 0) {
    return {self};
  }
  if (len(size) == 1) {
    return {same() + wide()};
  }
  const Val axes = rank(wide());
  return {c.op("Unsqueeze", {same()}, {{"axes", Vals{axes}}})};
}

}  // namespace onnxport::generated::lazy_names_operators
