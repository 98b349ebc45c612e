#include "runtime/model/functions/local_names.h"

#include <algorithm>
#include <string_view>

#include "runtime/base/unique_names.h"

namespace onnxport::functions {
namespace {

using ir::ValueId;

std::string WithoutPrefix(const std::string& name, std::string_view prefix) {
  return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

class Namer {
 public:
  Namer(const std::string& path, ir::Graph* graph)
      : graph_(*graph), weights_(path + "."), nodes_(PathName(path)), within_(nodes_ + "/") {}

  void Run(const std::vector<Origin>& origins, ir::Block* block) {
    for (size_t i = 0; i < block->inputs.size(); ++i) {
      Name(block->inputs[i], InputName(block->inputs[i], origins[i]));
      // A constant may become a node of that name.
      if (origins[i] == Origin::kConstant) names_.Take("/" + graph_.value(block->inputs[i]).name);
    }
    for (const ir::Arg& output : block->outputs) Name(*output.value(), "output");
    for (const ir::Arg& output : block->outputs) outputs_.push_back(*output.value());
    std::ranges::sort(outputs_);
    NameNodes(block);
  }

 private:
  // In the module `encoder.layer.3`, `encoder.layer.3.fc.weight` becomes `fc.weight`, which also fits the other layers.
  std::string InputName(ValueId id, Origin origin) const {
    if (origin == Origin::kWeight) return WithoutPrefix(graph_.value(id).name, weights_);
    return origin == Origin::kConstant ? "constant" : "input";
  }

  void NameNodes(ir::Block* block) {
    for (ir::Node& node : block->nodes) {
      node.name = names_.Take(Inner(node.name));
      for (const ValueId output : node.outputs) {
        if (output != ValueId::kNone && !std::ranges::binary_search(outputs_, output)) NameInner(output);
      }
      for (ir::Block& inner : node.blocks) {
        for (const ValueId input : inner.inputs) NameInner(input);
        NameNodes(&inner);
      }
    }
  }

  // The slash stays: "/query/MatMul".
  std::string Inner(const std::string& name) const {
    return name.starts_with(within_) ? WithoutPrefix(name, nodes_) : name;
  }
  void NameInner(ValueId id) { Name(id, Inner(graph_.value(id).name)); }
  void Name(ValueId id, const std::string& wanted) { graph_.value(id).name = names_.Take(wanted); }

  ir::Graph& graph_;
  const std::string weights_;
  const std::string nodes_;
  const std::string within_;
  ir::UniqueNames names_;
  std::vector<ValueId> outputs_;  // sorted
};

}  // namespace

std::string PathName(const std::string& path) {
  std::string name = "/" + path;
  std::ranges::replace(name, '.', '/');
  return name;
}

void NameLocally(const std::string& path, const std::vector<Origin>& origins, ir::Block* block, ir::Graph* graph) {
  Namer(path, graph).Run(origins, block);
}

}  // namespace onnxport::functions
