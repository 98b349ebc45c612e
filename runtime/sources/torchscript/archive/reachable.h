// The values that a pickled value holds.
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

// The root and all values that it holds, with the number of values above each (the most, when there are several ways).
// Throws Refusal for a value that holds itself, and anything else nested deeper than kMaxPickleDepth. It does so, too,
// for objects without a state, and for more than `most_steps` steps from a value to a value.
Depths Reachable(const Pickled& root, size_t most_steps);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_REACHABLE_H_
