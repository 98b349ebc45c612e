#include "runtime/model/onnx_file/summary.h"

#include <algorithm>

#include "runtime/ir/dtype.h"

namespace onnxport::onnx_file {
namespace {

// Wraps around if a hostile file states huge sizes. They are only shown.
Summary::Weight WeightOf(const onnx::TensorProto& tensor) {
  const ir::DType dtype = ir::DTypeOfNumber(tensor.data_type());
  auto bytes = static_cast<uint64_t>(ir::ByteSize(dtype));
  std::string dims;
  for (const int64_t size : tensor.dims()) {
    bytes *= static_cast<uint64_t>(size);
    dims += (dims.empty() ? "" : ",") + std::to_string(size);
  }
  Summary::Weight weight{.name = tensor.name(),
                         .type = std::string(ir::Name(dtype)) + "[" + dims + "]",
                         .bytes = static_cast<int64_t>(bytes),
                         .file = {}};
  for (const auto& entry : tensor.external_data()) {
    if (entry.key() == "location") weight.file = entry.value();
  }
  return weight;
}

class Counter {
 public:
  void AddNodes(const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes) {
    for (const onnx::NodeProto& node : nodes) {
      // A node with subgraphs counts itself, and then their nodes: an If with two Add is three nodes.
      ++operators[OperatorName(node.domain(), node.op_type())];
      for (const onnx::AttributeProto& attribute : node.attribute()) {
        if (attribute.has_g()) Add(attribute.g());
        for (const onnx::GraphProto& graph : attribute.graphs()) Add(graph);
      }
    }
  }
  void Add(const onnx::GraphProto& graph) {
    for (const onnx::TensorProto& tensor : graph.initializer()) weights.push_back(WeightOf(tensor));
    AddNodes(graph.node());
  }

  std::map<std::string, int64_t> operators;
  std::vector<Summary::Weight> weights;
};

void AddAxes(const google::protobuf::RepeatedPtrField<onnx::ValueInfoProto>& ports, Summary* summary) {
  for (const onnx::ValueInfoProto& port : ports) {
    int axis = 0;
    for (const auto& dim : port.type().tensor_type().shape().dim()) {
      const std::string place = port.name() + " axis " + std::to_string(axis++);
      if (dim.has_dim_param()) summary->axes[dim.dim_param()].push_back(place);
    }
  }
}

}  // namespace

std::string OperatorName(const std::string& domain, const std::string& name) {
  return domain.empty() ? name : domain + "." + name;
}

Summary Summarize(const onnx::ModelProto& model) {
  Counter counter;
  counter.Add(model.graph());
  for (const onnx::FunctionProto& function : model.functions()) counter.AddNodes(function.node());
  Summary summary{.operators = {}, .weights = std::move(counter.weights), .axes = {}};
  for (const auto& [name, count] : counter.operators) {
    summary.operators.push_back({name, count});
    summary.nodes += count;
  }
  // Both are sorted already, and a stable sort keeps this order for equal ones.
  std::ranges::stable_sort(summary.operators, std::greater<>(), &Summary::Operator::count);
  std::ranges::stable_sort(summary.weights, std::greater<>(), &Summary::Weight::bytes);
  for (const Summary::Weight& weight : summary.weights) summary.weight_bytes += weight.bytes;
  AddAxes(model.graph().input(), &summary);
  AddAxes(model.graph().output(), &summary);
  return summary;
}

}  // namespace onnxport::onnx_file
