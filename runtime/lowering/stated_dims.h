// Compares dimensions that the source states as expressions with numbers.
#ifndef ONNXPORT_RUNTIME_LOWERING_STATED_DIMS_H_
#define ONNXPORT_RUNTIME_LOWERING_STATED_DIMS_H_

#include <cstdint>

#include "runtime/ir/dim.h"

namespace onnxport::lowering {

// Returns true if the stated expression agrees with the number from inference. The simplifier of torch.export may leave
// an expression that is constant, such as `-Max(1 - s0, 0) + 1`. Such an expression agrees if its bounds are the
// number, or if it has this value wherever it is tried over the ranges of its symbols. An expression over numbers known
// only at run time promises nothing to a caller.
bool AgreesWith(const ir::Dim& stated, int64_t number, const ir::Ranges& ranges);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_STATED_DIMS_H_
