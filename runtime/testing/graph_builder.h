// Builds and prints small lowered graphs for the tests of passes.
#ifndef ONNXPORT_RUNTIME_TESTING_GRAPH_BUILDER_H_
#define ONNXPORT_RUNTIME_TESTING_GRAPH_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/onnx/known_tensor.h"

namespace onnxport::passes {

inline ir::Dim Sym(const char* name) { return ir::Dim::Symbol(name); }

class GraphBuilder {
 public:
  explicit GraphBuilder(int opset = 18) { graph.opset = opset; }

  ir::ValueId Value(const std::string& name, ir::Dims dims, ir::DType dtype = ir::DType::kFloat32) {
    ir::Value value;
    value.name = name;
    value.dtype = dtype;
    value.dims = std::move(dims);
    return graph.AddValue(std::move(value));
  }
  ir::ValueId Input(const std::string& name, ir::Dims dims, ir::DType dtype = ir::DType::kFloat32) {
    const ir::ValueId id = Value(name, std::move(dims), dtype);
    graph.body.inputs.push_back(id);
    graph.inputs.push_back({name, {id}});
    return id;
  }
  ir::ValueId Weight(const std::string& name, std::vector<int64_t> shape, std::string bytes,
                     ir::DType dtype = ir::DType::kFloat32) {
    const ir::ValueId id = Value(name, ir::Dims(shape.begin(), shape.end()), dtype);
    graph.weights.push_back({id, name, ir::MakeTensor(dtype, std::move(shape), std::move(bytes))});
    return id;
  }
  // Adds a Constant node. An empty `shape` means 1-d.
  ir::ValueId Ints(const std::string& name, const std::vector<int64_t>& elements, ir::DType dtype = ir::DType::kInt64) {
    return Constant(name, {dtype, {static_cast<int64_t>(elements.size())}, elements});
  }
  ir::ValueId Scalar(const std::string& name, int64_t element, ir::DType dtype = ir::DType::kInt64) {
    return Constant(name, {dtype, {}, {element}});
  }
  ir::ValueId Constant(const std::string& name, const onnx_ops::KnownTensor& tensor) {
    const ir::ValueId id = Value(name, ir::Dims(tensor.shape.begin(), tensor.shape.end()), tensor.dtype);
    Append("Constant", {}, {id}, {{"value", {ToTensorData(tensor)}}});
    return id;
  }
  // Appends a node with one result.
  ir::ValueId Node(const std::string& op, const std::vector<ir::ValueId>& inputs, const std::string& name,
                   ir::Dims dims, ir::DType dtype = ir::DType::kFloat32, std::vector<ir::Attribute> attributes = {}) {
    const ir::ValueId id = Value(name, std::move(dims), dtype);
    Append(op, inputs, {id}, std::move(attributes));
    return id;
  }
  void Append(const std::string& op, const std::vector<ir::ValueId>& inputs, std::vector<ir::ValueId> outputs,
              std::vector<ir::Attribute> attributes = {}) {
    ir::Node node;
    node.op = op;
    for (const ir::ValueId input : inputs)
      node.inputs.push_back(input == ir::ValueId::kNone ? ir::Arg() : ir::Arg{input});
    node.outputs = std::move(outputs);
    node.attributes = std::move(attributes);
    graph.body.nodes.push_back(std::move(node));
  }
  // Moves the nodes from number `first` on into a block.
  ir::Block TakeBlock(size_t first, std::vector<ir::ValueId> inputs, const std::vector<ir::ValueId>& outputs) {
    ir::Block block;
    block.inputs = std::move(inputs);
    auto& nodes = graph.body.nodes;
    for (size_t i = first; i < nodes.size(); ++i) block.nodes.push_back(std::move(nodes[i]));
    nodes.resize(first);
    for (const ir::ValueId output : outputs) block.outputs.push_back({output});
    return block;
  }
  size_t Size() const { return graph.body.nodes.size(); }
  void AddBlocks(std::vector<ir::Block> blocks) { graph.body.nodes.back().blocks = std::move(blocks); }
  void Output(ir::ValueId id) {
    graph.body.outputs.push_back({id});
    graph.outputs.push_back({"out" + std::to_string(graph.outputs.size()), {id}});
  }

  ir::Graph graph;
};

inline ir::Arg IntList(const std::vector<int64_t>& elements) {
  ir::ArgList list;
  for (const int64_t element : elements) list.push_back({element});
  return {std::move(list)};
}

template <typename T>
std::string AsBytes(const std::vector<T>& elements) {
  return {reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(T)};
}

inline std::string BytesOf(const ir::TensorData& data) { return ir::BytesOf(*data.bytes); }

// Returns the nodes and outputs in the form of `ir::ToText`.
inline std::string Body(const ir::Graph& graph) {
  const std::string text = ir::ToText(graph);
  std::string body;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin);
    const std::string line = text.substr(begin, end + 1 - begin);
    if (line.starts_with('%') || line.starts_with(' ') || line.starts_with("output")) body += line;
    begin = end + 1;
  }
  return body;
}

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_TESTING_GRAPH_BUILDER_H_
