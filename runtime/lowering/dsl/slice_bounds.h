// Simplifies slice bounds that count from the end.
#ifndef ONNXPORT_RUNTIME_LOWERING_DSL_SLICE_BOUNDS_H_
#define ONNXPORT_RUNTIME_LOWERING_DSL_SLICE_BOUNDS_H_

#include "runtime/lowering/dsl/context.h"

namespace onnxport::lowering {

// Replaces a computed bound of a Slice by a number if it has a fixed distance from the end of the sliced dimension. x[:
// n - 2] with n = x.size(0) gets the end -2. Opsets before 10 cannot express it otherwise.
void SimplifySliceBounds(Vals* inputs, NamedArgs* attributes);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_DSL_SLICE_BOUNDS_H_
