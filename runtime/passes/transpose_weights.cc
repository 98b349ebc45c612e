#include "runtime/passes/transpose_weights.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/passes/rewrite.h"
#include "runtime/passes/transposed_tensor.h"

namespace onnxport::passes {
namespace {

using ir::ValueId;

std::vector<int64_t> PermOf(const ir::Node& node, size_t rank) {
  if (auto perm = IntsAttribute(node, "perm")) return *std::move(perm);
  std::vector<int64_t> reversed(rank);
  std::iota(reversed.rbegin(), reversed.rend(), 0);
  return reversed;
}

class Transposer {
 public:
  explicit Transposer(ir::Graph* graph) : graph_(graph), uses_(*graph) {
    for (ir::Weight& weight : graph->weights) {
      if (!weight.name.empty()) weights_.emplace(weight.value, &weight);  // others are small constants
    }
  }

  bool Run() { return Visit(&graph_->body); }

 private:
  bool Visit(ir::Block* block) {
    bool changed = false;
    for (ir::Node& node : block->nodes)
      for (ir::Block& inner : node.blocks) changed |= Visit(&inner);
    return std::erase_if(block->nodes, [this](const ir::Node& node) { return Transpose(node); }) > 0 || changed;
  }

  // Whether the node's result is a weight now.
  bool Transpose(const ir::Node& node) {
    const auto found = node.op == "Transpose" ? weights_.find(InputAt(node, 0)) : weights_.end();
    if (found == weights_.end() || uses_.Count(found->first) != 1 || uses_.IsBlockOutput(node.outputs[0])) return false;
    ir::Weight& weight = *found->second;
    auto data = TransposedTensor(weight.data, PermOf(node, weight.data->shape.size()));
    if (data == nullptr) return false;
    weight = {.value = node.outputs[0], .name = weight.name + ".T", .data = std::move(data)};
    return true;
  }

  ir::Graph* graph_;
  const UseCounts uses_;
  std::unordered_map<ValueId, ir::Weight*> weights_;
};

}  // namespace

bool TransposeWeights(ir::Graph* graph) { return Transposer(graph).Run(); }

}  // namespace onnxport::passes
