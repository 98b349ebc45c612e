// Generated from spec/aten/as_strided.yaml. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/dsl/context.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/lowering/dsl/hooks.h"
#include "runtime/lowering/dsl/builtins.h"

namespace onnxport::generated::as_strided_operators {

using namespace lowering;  // NOLINT: generated code reads like the spec

// aten::as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a)
// spec/aten/as_strided.yaml:7, opset 11 to 28
Vals aten_as_strided(Context& c) {
  const auto [self, size, stride, storage_offset] = c.args<4>();
  Val idx = Or(storage_offset, [&] { return 0; });
  for (const Val& d : range(len(size)).AsList()) {
    idx =
    idx + c.op("Reshape",
               {c.op("Range", {0, size[d], 1}) * stride[d], Vals{1} * d + Vals{-1} + Vals{1} * (len(size) - 1 - d)});
  }
  return {c.op("Gather", {c.op("Reshape", {self, Vals{-1}}), idx})};
}

}  // namespace onnxport::generated::as_strided_operators
