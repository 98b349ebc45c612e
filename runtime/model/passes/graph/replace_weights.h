// Replaces a weight and the node that reads it by a new weight.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_REPLACE_WEIGHTS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_REPLACE_WEIGHTS_H_

#include <functional>
#include <memory>
#include <string>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// The data of the new weight (null: leave the node alone), and a suffix for its name.
struct MadeWeight {
  std::shared_ptr<const ir::TensorData> data;
  std::string suffix;
};

// Calls `make` for each node with a single result whose first input is a weight that nothing else uses. Its data
// replaces the weight and the node. A weight with another use stays, because it would be written twice. A result that
// is the output of a block stays, too. Returns true if anything changed.
bool ReplaceWeights(ir::Graph* graph,
                    const std::function<MadeWeight(const ir::Node& node, const ir::Weight& weight)>& make);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_REPLACE_WEIGHTS_H_
