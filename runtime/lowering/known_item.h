// Reads the number in a constant tensor.
#ifndef ONNXPORT_RUNTIME_LOWERING_KNOWN_ITEM_H_
#define ONNXPORT_RUNTIME_LOWERING_KNOWN_ITEM_H_

#include <optional>

#include "runtime/lowering/build/emitter.h"

namespace onnxport::lowering {

// For a call that returns the number in a tensor (`item`). Works for an element of a constant or weight, and for a size
// that is a number. `args` has the tensor.
std::optional<Val> KnownItem(const Emitter& emitter, const Vals& args);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_KNOWN_ITEM_H_
