#ifndef ONNXPORT_RUNTIME_LOWERING_VECTORIZE_H_
#define ONNXPORT_RUNTIME_LOWERING_VECTORIZE_H_

#include <utility>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::lowering {

// Compares two blocks that were made of the same calls: `one` of elements, `all` of tensors that have such elements
// stacked on a new first axis. Their inputs have the same order. Returns true if each result of `all` (the second of
// its pair) has on that axis the results of `one` for each element. That is so if both have the same nodes, which
// compute element by element and broadcast from the last axis: one more in front changes nothing.
bool Vectorizes(const ir::Graph& graph, const ir::Block& one, const ir::Block& all,
                const std::vector<std::pair<ir::ValueId, ir::ValueId>>& results);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_VECTORIZE_H_
