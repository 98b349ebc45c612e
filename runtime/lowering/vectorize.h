#ifndef ONNXPORT_RUNTIME_LOWERING_VECTORIZE_H_
#define ONNXPORT_RUNTIME_LOWERING_VECTORIZE_H_

#include <utility>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::lowering {

// Compares two blocks made of the same calls: `one` works on elements, `all` on tensors that stack such elements on a
// new first axis. Their inputs have the same order. Returns true if each result of `all` (the second of its pair)
// stacks the results of `one`. That holds if both have the same nodes, and these work element by element and broadcast
// from the last axis, because then one more axis in front changes nothing.
bool Vectorizes(const ir::Graph& graph, const ir::Block& one, const ir::Block& all,
                const std::vector<std::pair<ir::ValueId, ir::ValueId>>& results);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_VECTORIZE_H_
