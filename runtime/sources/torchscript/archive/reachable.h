// Finds the values inside a pickled value.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_REACHABLE_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_REACHABLE_H_

#include <cstddef>
#include <functional>
#include <unordered_map>
#include <utility>

#include "runtime/sources/torchscript/archive/pickle.h"

namespace onnxport::torchscript {

using Depths = std::unordered_map<const Pickled*, int, std::hash<const Pickled*>, std::equal_to<>,
                                  BudgetAllocator<std::pair<const Pickled* const, int>>>;

// Returns the root and all values in it, with the depth of each (the greatest, if there are several paths). Throws
// Refusal for a value that contains itself, for values deeper than kMaxPickleDepth, for objects without a state, and
// after `most_steps` steps from a value to a value.
Depths Reachable(const Pickled& root, size_t most_steps);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_REACHABLE_H_
