// Weights that a node makes of one weight.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_REPLACE_WEIGHTS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_REPLACE_WEIGHTS_H_

#include <functional>
#include <memory>
#include <string>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// The weight that replaces a node: the data, null to leave the node alone, and a suffix for the name of the weight.
struct MadeWeight {
  std::shared_ptr<const ir::TensorData> data;
  std::string suffix;
};

// Asks `make` for each node with a single result whose first input is a weight that nothing else uses. The data that it
// makes takes the place of weight and node. A weight with a further use stays, as it would be written twice, and so
// does a result that a block gives. Returns whether anything changed.
bool ReplaceWeights(ir::Graph* graph,
                    const std::function<MadeWeight(const ir::Node& node, const ir::Weight& weight)>& make);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_REPLACE_WEIGHTS_H_
