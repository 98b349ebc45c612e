// Calls that change nothing: no result of theirs is used, and they write to nothing. What a program computed for its
// control flow in Python stays behind in its file as such calls.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_UNUSED_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_UNUSED_H_

#include <unordered_set>

#include "runtime/ir/graph.h"

namespace onnxport::pt2 {

// Of the program's own calls, not of those in blocks. Nodes of `program`.
std::unordered_set<const ir::Node*> UnusedCalls(const ir::Graph& program);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_UNUSED_H_
