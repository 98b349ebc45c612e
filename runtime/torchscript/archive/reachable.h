// What a pickled value holds.
#ifndef ONNXPORT_RUNTIME_TORCHSCRIPT_ARCHIVE_REACHABLE_H_
#define ONNXPORT_RUNTIME_TORCHSCRIPT_ARCHIVE_REACHABLE_H_

#include <cstddef>
#include <unordered_map>

#include "runtime/torchscript/archive/pickle.h"

namespace onnxport::torchscript {

// The root and all values that it holds, with the number of values above each (the most, when there are several ways).
// A value may hold itself: PickleError for that and anything else nested deeper than kMaxPickleDepth, for objects
// without a state, and for more than `most_steps` steps from a value to a value.
std::unordered_map<const Pickled*, int> Reachable(const Pickled& root, size_t most_steps);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_TORCHSCRIPT_ARCHIVE_REACHABLE_H_
