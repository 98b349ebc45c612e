// Calls that change nothing: no result of theirs is used, and they write to nothing. What a program computed for its
// control flow in Python stays behind in its file as such calls.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_UNUSED_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_UNUSED_H_

#include <cstddef>
#include <unordered_set>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/sources/pt2/replay/call_queue.h"

namespace onnxport::pt2 {

// Of `calls`, the program's own; those in their blocks are not told. `outputs`: of the program, which has so many
// values.
std::unordered_set<const ir::Node*> UnusedCalls(const Calls& calls, const std::vector<ir::Port>& outputs,
                                                size_t values);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_UNUSED_H_
