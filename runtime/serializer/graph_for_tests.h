// Small graphs for the tests of this folder.
#ifndef ONNXPORT_RUNTIME_SERIALIZER_GRAPH_FOR_TESTS_H_
#define ONNXPORT_RUNTIME_SERIALIZER_GRAPH_FOR_TESTS_H_

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::serializer {

inline ir::ValueId AddTensor(ir::Graph* graph, std::string name, ir::Dims dims, ir::DType dtype = ir::DType::kFloat32) {
  ir::Value value;
  value.name = std::move(name);
  value.dtype = dtype;
  value.dims = std::move(dims);
  return graph->AddValue(std::move(value));
}

// A float32 weight of one dimension: first, first + 1, ...
inline ir::ValueId AddWeight(ir::Graph* graph, const std::string& name, int64_t count, float first = 0) {
  std::string bytes(count * sizeof(float), '\0');
  for (int64_t i = 0; i < count; ++i) {
    const float value = first + static_cast<float>(i);
    std::memcpy(bytes.data() + i * sizeof value, &value, sizeof value);
  }
  const ir::ValueId id = AddTensor(graph, name, {count});
  graph->weights.push_back({id, name, ir::MakeTensor(ir::DType::kFloat32, {count}, std::move(bytes))});
  return id;
}

// y = x + w0 + w1 + ..., each weight of `sizes` elements; x is float32[n, size].
inline ir::Graph SumGraph(int opset, const std::vector<int64_t>& sizes) {
  ir::Graph graph;
  graph.opset = opset;
  const ir::Dims dims = {ir::Dim::Symbol("n"), ir::Dim(sizes.front())};
  ir::ValueId last = AddTensor(&graph, "x", dims);
  graph.body.inputs = {last};
  graph.inputs = {{"x", {last}}};
  for (size_t i = 0; i < sizes.size(); ++i) {
    const ir::ValueId weight = AddWeight(&graph, "w" + std::to_string(i), sizes[i], static_cast<float>(i));
    const bool is_last = i + 1 == sizes.size();
    ir::Node node;
    node.op = "Add";
    node.name = "/Add_" + std::to_string(i);
    node.inputs = {{last}, {weight}};
    last = AddTensor(&graph, is_last ? "y" : node.name + "_output_0", dims);
    node.outputs = {last};
    graph.body.nodes.push_back(std::move(node));
  }
  graph.body.outputs = {{last}};
  graph.outputs = {{"y", {last}}};
  return graph;
}

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_SERIALIZER_GRAPH_FOR_TESTS_H_
