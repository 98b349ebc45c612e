#include "runtime/model/passes/graph/replace_weights.h"

#include <utility>
#include <vector>

#include "runtime/ir/read_node.h"
#include "runtime/model/passes/graph/rewrite.h"
#include "runtime/model/passes/graph/weight_index.h"

namespace onnxport::passes {
namespace {

using Make = std::function<MadeWeight(const ir::Node& node, const ir::Weight& weight)>;

class Replacing {
 public:
  Replacing(ir::Graph* graph, const Make& make) : make_(make), uses_(*graph), weights_(graph) {}

  bool Visit(ir::Block* block) {
    bool changed = false;
    for (ir::Node& node : block->nodes)
      for (ir::Block& inner : node.blocks) changed |= Visit(&inner);
    return std::erase_if(block->nodes, [this](const ir::Node& node) { return Replace(node); }) > 0 || changed;
  }

 private:
  // Returns true if the node's result is a weight now.
  bool Replace(const ir::Node& node) {
    if (node.inputs.empty() || node.outputs.size() != 1 || uses_.IsBlockOutput(node.outputs[0])) return false;
    ir::Weight* weight = weights_.Find(InputAt(node, 0));
    // Weights without a name are small constants.
    if (weight == nullptr || weight->name.empty() || uses_.Count(weight->value) != 1) return false;
    MadeWeight made = make_(node, *weight);
    if (made.data == nullptr) return false;
    weight->value = node.outputs[0];
    weight->name += made.suffix;
    weight->data = std::move(made.data);
    return true;
  }

  const Make& make_;
  const UseCounts uses_;
  const WeightIndex weights_;
};

}  // namespace

bool ReplaceWeights(ir::Graph* graph, const Make& make) { return Replacing(graph, make).Visit(&graph->body); }

}  // namespace onnxport::passes
