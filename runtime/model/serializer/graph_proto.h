// Nodes and values of a graph as messages of ONNX.
#ifndef ONNXPORT_RUNTIME_MODEL_SERIALIZER_GRAPH_PROTO_H_
#define ONNXPORT_RUNTIME_MODEL_SERIALIZER_GRAPH_PROTO_H_

#include <string>
#include <utility>
#include <vector>

#include "onnx/onnx_pb.h"
#include "runtime/ir/graph.h"
#include "runtime/model/functions/function.h"
#include "runtime/model/serializer/node_metadata.h"

namespace onnxport::serializer {

// "com.microsoft.Gelu" -> {"com.microsoft", "Gelu"}
std::pair<std::string, std::string> SplitOp(const std::string& op);

class GraphBuilder {
 public:
  // `metadata` may be null.
  GraphBuilder(const ir::Graph& graph, NodeMetadata* metadata) : graph_(graph), metadata_(metadata) {}

  // The node as a field of a GraphProto.
  std::string NodeField(const ir::Node& node);

  // Inputs, outputs and the types of what lies between.
  void FillValues(const ir::Block& block, const std::vector<ir::Weight>& weight_inputs, onnx::GraphProto* proto);

  // All but the domains that it imports. `with_types`: of its values.
  void FillFunction(const functions::Function& function, bool with_types, onnx::FunctionProto* proto);

 private:
  void FillNode(const ir::Node& node, onnx::NodeProto* proto);
  void FillNodeAndMetadata(const ir::Node& node, onnx::NodeProto* proto);
  void FillBlock(const ir::Block& block, const std::string& name, onnx::GraphProto* proto);

  const ir::Graph& graph_;
  NodeMetadata* metadata_;
  onnx::NodeProto node_;  // of NodeField; what it has allocated serves the next
};

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_MODEL_SERIALIZER_GRAPH_PROTO_H_
