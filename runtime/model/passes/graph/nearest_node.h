// The remark on a graph in which nothing became an operator: which node came nearest, and why it is none.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_NEAREST_NODE_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_NEAREST_NODE_H_

#include <functional>
#include <string>
#include <string_view>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Why a node did not become the operator: "the mask is not float32". Empty for a node that is not near.
using ReasonOf = std::function<std::string_view(const ir::Node& node)>;

// Names the first node of the body that has a reason, with words behind its operator, as " of a Softmax". Empty where
// none has one. "the nearest is the MatMul of a Softmax at model.py:12, but the mask is not float32"
std::string NearestNode(const ir::Graph& graph, const ReasonOf& reason_of, std::string_view behind = "");

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_NEAREST_NODE_H_
