// Finds calls without effect: their results are not used, and they write to nothing. A program file contains such calls
// where Python computed something for its own control flow.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_UNUSED_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_UNUSED_H_

#include <cstddef>
#include <unordered_set>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/sources/pt2/replay/call_queue.h"

namespace onnxport::pt2 {

// Returns the unused ones among `calls`, the program's own calls, without those in their blocks. `outputs` are the
// program's outputs, `values` is the number of its values.
std::unordered_set<const ir::Node*> UnusedCalls(const Calls& calls, const std::vector<ir::Port>& outputs,
                                                size_t values);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_UNUSED_H_
