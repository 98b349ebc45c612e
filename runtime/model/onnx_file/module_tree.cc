#include "runtime/model/onnx_file/module_tree.h"

#include <map>
#include <string_view>

namespace onnxport::onnx_file {
namespace {

// A hostile name may consist of slashes. Deeper levels of a name are not split.
constexpr size_t kMostLevels = 24;

// "/encoder/0/Add" -> {"encoder", "0"}
std::vector<std::string_view> PathOf(std::string_view name) {
  std::vector<std::string_view> path;
  while (path.size() < kMostLevels && !name.empty()) {
    const size_t slash = name.find('/');
    if (slash == name.npos) break;
    if (slash > 0) path.push_back(name.substr(0, slash));
    name.remove_prefix(slash + 1);
  }
  return path;
}

ModuleTree& Child(ModuleTree& parent, std::string_view name) {
  const auto [place, is_new] = parent.places.try_emplace(std::string(name), parent.modules.size());
  if (is_new) parent.modules.emplace_back().name = name;
  return parent.modules[place->second];
}

// Each weight once.
class Weights {
 public:
  explicit Weights(const std::vector<Summary::Weight>& weights) {
    for (const Summary::Weight& weight : weights) left_.emplace(weight.name, weight.bytes);
  }

  // The bytes of the weights that the node reads, also in its subgraphs.
  int64_t Take(const onnx::NodeProto& node) {
    uint64_t bytes = 0;  // wraps around if a hostile file states huge sizes, as in summary.cc
    for (const std::string& input : node.input()) {
      const auto weight = left_.find(input);
      if (weight == left_.end()) continue;
      bytes += static_cast<uint64_t>(weight->second);
      left_.erase(weight);
    }
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.has_g()) bytes += TakeAll(attribute.g());
      for (const onnx::GraphProto& graph : attribute.graphs()) bytes += TakeAll(graph);
    }
    return static_cast<int64_t>(bytes);
  }

 private:
  uint64_t TakeAll(const onnx::GraphProto& graph) {
    uint64_t bytes = 0;
    for (const onnx::NodeProto& node : graph.node()) bytes += static_cast<uint64_t>(Take(node));
    return bytes;
  }

  std::map<std::string, int64_t, std::less<>> left_;
};

void Add(ModuleTree& module, int64_t bytes) {
  ++module.all_nodes;
  module.weight_bytes = static_cast<int64_t>(static_cast<uint64_t>(module.weight_bytes) + static_cast<uint64_t>(bytes));
}

}  // namespace

ModuleTree ModulesOf(const onnx::GraphProto& graph, const std::vector<Summary::Weight>& weights) {
  ModuleTree model;
  Weights left(weights);
  for (int i = 0; i < graph.node_size(); ++i) {
    const int64_t bytes = left.Take(graph.node(i));
    ModuleTree* module = &model;
    Add(*module, bytes);
    for (const std::string_view name : PathOf(graph.node(i).name())) {
      module = &Child(*module, name);
      Add(*module, bytes);
    }
    module->nodes.push_back(i);
  }
  return model;
}

}  // namespace onnxport::onnx_file
