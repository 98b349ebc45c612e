// The number in a tensor that is a constant.
#ifndef ONNXPORT_RUNTIME_LOWERING_KNOWN_ITEM_H_
#define ONNXPORT_RUNTIME_LOWERING_KNOWN_ITEM_H_

#include <optional>

#include "runtime/lowering/build/emitter.h"

namespace onnxport::lowering {

// For a call that gives the number in a tensor: the element of a constant, a weight or a size that is a number. `args`:
// the tensor.
std::optional<Val> KnownItem(const Emitter& emitter, const Vals& args);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_KNOWN_ITEM_H_
