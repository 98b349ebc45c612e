// Dimensions that the source states as expressions and that are one number all the same.
#ifndef ONNXPORT_RUNTIME_LOWERING_STATED_DIMS_H_
#define ONNXPORT_RUNTIME_LOWERING_STATED_DIMS_H_

#include <cstdint>

#include "runtime/ir/dim.h"

namespace onnxport::lowering {

// Returns true if the stated expression agrees with the number that inference gave. Its simplifier may have left an
// expression that never varies, as `-Max(1 - s0, 0) + 1`. Then its bounds are the number, or it has that value wherever
// it is tried over the ranges of its symbols. An expression of numbers known only at run time is no promise to any
// caller.
bool AgreesWith(const ir::Dim& stated, int64_t number, const ir::Ranges& ranges);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_STATED_DIMS_H_
