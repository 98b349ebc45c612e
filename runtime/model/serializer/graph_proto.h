// Turns nodes and values of a graph into ONNX messages.
#ifndef ONNXPORT_RUNTIME_MODEL_SERIALIZER_GRAPH_PROTO_H_
#define ONNXPORT_RUNTIME_MODEL_SERIALIZER_GRAPH_PROTO_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "onnx/onnx_pb.h"
#include "runtime/ir/graph.h"
#include "runtime/model/functions/function.h"
#include "runtime/model/serializer/fields.h"
#include "runtime/model/serializer/node_metadata.h"

namespace onnxport::serializer {

// "com.microsoft.Gelu" -> {"com.microsoft", "Gelu"}
std::pair<std::string_view, std::string_view> SplitOp(std::string_view op);

// Writes a graph node by node and value by value, because messages for all of them would take more memory than the
// graph. One message is reused for all nodes, and one for all values, with its allocated memory.
class GraphBuilder {
 public:
  // `metadata` may be null.
  GraphBuilder(const ir::Graph& graph, NodeMetadata* metadata) : graph_(graph), metadata_(metadata) {}

  // Appends the node as a field of a GraphProto.
  void AppendNode(const ir::Node& node, std::string* fields);

  // Makes the fields of inputs, outputs and the types of other values.
  void MakeValues(const ir::Block& block, const std::vector<ir::Weight>& weight_inputs, const Fields::Take& take);

  // Fills all but the imported domains. `with_types`: includes the types of its values.
  void FillFunction(const functions::Function& function, bool with_types, onnx::FunctionProto* proto);

 private:
  void FillNode(const ir::Node& node, onnx::NodeProto* proto);
  void FillNodeAndMetadata(const ir::Node& node, onnx::NodeProto* proto);
  void MakePort(int field, const ir::Value& value, const Fields::Take& take);
  void FillBlock(const ir::Block& block, const std::string& name, onnx::GraphProto* proto);

  const ir::Graph& graph_;
  NodeMetadata* metadata_;
  onnx::NodeProto node_;        // of AppendNode
  std::string metadata_text_;   // of AppendNode
  onnx::ValueInfoProto value_;  // of MakePort
  std::string port_;            // of MakePort
};

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_MODEL_SERIALIZER_GRAPH_PROTO_H_
