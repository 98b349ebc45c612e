// Generated from spec/aten/as_strided.yaml. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/context.h"
#include "runtime/lowering/cover.h"
#include "runtime/lowering/dispatch.h"
#include "runtime/lowering/hooks.h"
#include "runtime/lowering/val.h"

namespace onnxport::generated {

using namespace lowering;  // NOLINT: generated code reads like the spec

// aten::as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a)
// spec/aten/as_strided.yaml:5, opset 11 to 25
Vals aten_as_strided_from11(Context& c) {
  const Val self = c.arg(0);
  const Val size = c.arg(1);
  const Val stride = c.arg(2);
  const Val storage_offset = c.arg(3);
  Val idx = Or(storage_offset, [&] { return 0; });
  const Val every_d = range(len(size));
  for (const Val& d : every_d.AsList()) {
    idx = idx +
          c.op("Reshape",
               {c.op("Range", {0, size[d], 1}) * stride[d], Vals{1} * d + Vals{-1} + Vals{1} * (len(size) - 1 - d)});
  }
  return {c.op("Gather", {c.op("Reshape", {self, Vals{-1}}), idx})};
}

}  // namespace onnxport::generated
