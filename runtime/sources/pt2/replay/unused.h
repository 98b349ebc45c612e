// Calls that change nothing: no result of theirs is used, and they write to nothing. A program's computations for its
// control flow in Python stay behind in its file as such calls.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_UNUSED_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_UNUSED_H_

#include <cstddef>
#include <unordered_set>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/sources/pt2/replay/call_queue.h"

namespace onnxport::pt2 {

// The unused ones among `calls`, the program's own, without those in their blocks. `outputs`: those of the program,
// which has so many values.
std::unordered_set<const ir::Node*> UnusedCalls(const Calls& calls, const std::vector<ir::Port>& outputs,
                                                size_t values);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_UNUSED_H_
