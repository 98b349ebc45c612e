#include "runtime/model/passes/graph/remove_dead.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "runtime/model/passes/graph/rewrite.h"

namespace onnxport::passes {
namespace {

using ir::ValueId;

constexpr int kBareLoopOpset = 11;  // a Loop may carry nothing

class DeadRemover {
 public:
  explicit DeadRemover(ir::Graph* graph) : graph_(graph), used_(graph->values.size()) {}

  bool Run() {
    for (const ir::Arg& output : graph_->body.outputs) Mark(output);
    Sweep(&graph_->body);
    const size_t weights =
        std::erase_if(graph_->weights, [&](const ir::Weight& weight) { return !IsUsed(weight.value); });
    return removed_ || weights > 0;
  }

 private:
  void Mark(const ir::Arg& arg) {
    if (arg.value() != nullptr) used_[static_cast<size_t>(*arg.value())] = true;
  }
  bool IsUsed(ValueId id) const { return id != ValueId::kNone && used_[static_cast<size_t>(id)]; }

  // Users come after producers, so one walk from the end sees every use first.
  void Sweep(ir::Block* block) {
    std::vector<bool> dead(block->nodes.size());
    for (size_t i = block->nodes.size(); i-- > 0;) {
      ir::Node& node = block->nodes[i];
      dead[i] = std::ranges::none_of(node.outputs, [this](ValueId id) { return IsUsed(id); });
      if (dead[i]) continue;
      if (node.op == "If") DropBranchResults(&node);
      if (node.op == "Loop") DropLoopResults(&node);
      // Only after results were dropped: a dropped carried value must not keep its initial value alive.
      for (const ir::Arg& input : node.inputs) Mark(input);
      for (ir::Block& inner : node.blocks) {
        for (const ir::Arg& output : inner.outputs) Mark(output);
        Sweep(&inner);
      }
    }
    size_t index = 0;
    removed_ |= std::erase_if(block->nodes, [&](const ir::Node&) { return dead[index++]; }) > 0;
  }

  // Drops unused results of an If.
  void DropBranchResults(ir::Node* node) {
    for (size_t i = node->outputs.size(); i-- > 0;) {
      if (IsUsed(node->outputs[i])) continue;
      node->outputs.erase(node->outputs.begin() + static_cast<ptrdiff_t>(i));
      for (ir::Block& block : node->blocks) block.outputs.erase(block.outputs.begin() + static_cast<ptrdiff_t>(i));
      removed_ = true;
    }
  }

  // Drops unused scans, and carried values that neither the body nor later code uses. Inputs: count, condition,
  // carried. Body: iteration, condition, carried -> condition, carried, scans. From the last to the first, so that
  // erasing one does not move those still to be visited.
  void DropLoopResults(ir::Node* node) {
    ir::Block& body = node->blocks[0];
    size_t carried = node->inputs.size() - 2;
    const size_t least = graph_->opset < kBareLoopOpset ? 1 : 0;
    std::vector<bool> inside(graph_->values.size());
    bool looked = false;
    for (size_t i = node->outputs.size(); i-- > 0;) {
      if (IsUsed(node->outputs[i])) continue;
      if (i < carried) {
        if (!std::exchange(looked, true)) inside = UsedInside(body);
        if (inside[static_cast<size_t>(body.inputs[i + 2])] || carried <= least) continue;
        --carried;
        node->inputs.erase(node->inputs.begin() + static_cast<ptrdiff_t>(i + 2));
        body.inputs.erase(body.inputs.begin() + static_cast<ptrdiff_t>(i + 2));
      }
      node->outputs.erase(node->outputs.begin() + static_cast<ptrdiff_t>(i));
      body.outputs.erase(body.outputs.begin() + static_cast<ptrdiff_t>(i + 1));
      removed_ = true;
    }
  }

  std::vector<bool> UsedInside(const ir::Block& body) const {
    std::vector<bool> used(graph_->values.size());
    const auto mark = [&used](const ir::Arg& arg) {
      if (arg.value() != nullptr) used[static_cast<size_t>(*arg.value())] = true;
    };
    ForEachNode(body, [&](const ir::Node& node) {
      std::ranges::for_each(node.inputs, mark);
      for (const ir::Block& inner : node.blocks) std::ranges::for_each(inner.outputs, mark);
    });
    return used;
  }

  ir::Graph* graph_;
  std::vector<bool> used_;
  bool removed_ = false;
};

}  // namespace

bool RemoveDead(ir::Graph* graph) { return DeadRemover(graph).Run(); }

}  // namespace onnxport::passes
