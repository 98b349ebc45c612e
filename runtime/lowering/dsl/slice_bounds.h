// Slice bounds that count from the end.
#ifndef ONNXPORT_RUNTIME_LOWERING_DSL_SLICE_BOUNDS_H_
#define ONNXPORT_RUNTIME_LOWERING_DSL_SLICE_BOUNDS_H_

#include "runtime/lowering/dsl/context.h"

namespace onnxport::lowering {

// Replaces computed bounds of a Slice by numbers where they are a fixed distance from the end of the sliced dimension:
// x[: n - 2] with n = x.size(0) ends at -2. Without that, opsets before 10 could not say it at all.
void SimplifySliceBounds(Vals* inputs, NamedArgs* attributes);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_DSL_SLICE_BOUNDS_H_
