#include "runtime/model/passes/graph/remove_dead.h"

#include <algorithm>
#include <ranges>
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
  static void MarkArg(const ir::Arg& arg, std::vector<bool>* used) {
    if (arg.value() != nullptr && *arg.value() != ValueId::kNone) (*used)[static_cast<size_t>(*arg.value())] = true;
  }
  static bool IsIn(const std::vector<bool>& used, ValueId id) {
    return id != ValueId::kNone && used[static_cast<size_t>(id)];
  }
  void Mark(const ir::Arg& arg) { MarkArg(arg, &used_); }
  bool IsUsed(ValueId id) const { return IsIn(used_, id); }

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

  // Drops unused scans, and carried values that nothing but their own next values uses. Inputs: count, condition,
  // carried. Body: iteration, condition, carried -> condition, carried, scans. From the last to the first, so that
  // erasing one does not move those still to be visited.
  void DropLoopResults(ir::Node* node) {
    ir::Block& body = node->blocks[0];
    size_t carried = node->inputs.size() - 2;
    const size_t least = LeastCarried();
    std::vector<bool> inside;
    for (size_t i = node->outputs.size(); i-- > 0;) {
      if (IsUsed(node->outputs[i])) continue;
      if (i < carried) {
        if (inside.empty()) inside = UsedInside(*node);
        if (IsIn(inside, body.inputs[i + 2]) || carried <= least) continue;
        --carried;
        node->inputs.erase(node->inputs.begin() + static_cast<ptrdiff_t>(i + 2));
        body.inputs.erase(body.inputs.begin() + static_cast<ptrdiff_t>(i + 2));
      }
      node->outputs.erase(node->outputs.begin() + static_cast<ptrdiff_t>(i));
      body.outputs.erase(body.outputs.begin() + static_cast<ptrdiff_t>(i + 1));
      removed_ = true;
    }
  }

  // Returns what is used where the loop runs only for its used results.
  std::vector<bool> UsedInside(const ir::Node& loop) const {
    std::vector<bool> used = used_;
    MarkLoop(loop, &used);
    return used;
  }

  // From the end to the start: what nodes use whose results are used.
  void MarkBlock(const ir::Block& block, std::vector<bool>* used) const {
    for (size_t i = block.nodes.size(); i-- > 0;) {
      const ir::Node& node = block.nodes[i];
      if (std::ranges::none_of(node.outputs, [&](ValueId id) { return IsIn(*used, id); })) continue;
      if (node.op == "If") {
        MarkIf(node, used);
      } else if (node.op == "Loop") {
        MarkLoop(node, used);
      } else {
        ForEachUse(node, [&](ValueId id) { (*used)[static_cast<size_t>(id)] = true; });
      }
    }
  }

  void MarkIf(const ir::Node& node, std::vector<bool>* used) const {
    MarkArg(node.inputs[0], used);
    for (const ir::Block& block : node.blocks) {
      for (size_t i = 0; i < node.outputs.size(); ++i) {
        if (IsIn(*used, node.outputs[i])) MarkArg(block.outputs[i], used);
      }
      MarkBlock(block, used);
    }
  }

  // Adds the carried values that turn out to be used, until there are no more.
  template <typename IsResultUsed>
  void MarkResults(const ir::Node& loop, const IsResultUsed& is_used, std::vector<bool>* used) const {
    const ir::Block& body = loop.blocks[0];
    for (size_t before = 0, count = loop.outputs.size() + 1; count != before;) {
      before = std::exchange(count, 0);
      for (size_t i = 0; i < loop.outputs.size(); ++i) {
        if (!is_used(i)) continue;
        MarkArg(body.outputs[i + 1], used);
        ++count;
      }
      MarkBlock(body, used);
    }
  }

  // It begins with the condition and the used results. If a Loop must carry a value and uses none, the first one stays.
  void MarkLoop(const ir::Node& loop, std::vector<bool>* used) const {
    const ir::Block& body = loop.blocks[0];
    const size_t carried = loop.inputs.size() - 2;
    const auto is_used = [&](size_t result) {
      return IsIn(*used, loop.outputs[result]) || (result < carried && IsIn(*used, body.inputs[result + 2]));
    };
    MarkArg(body.outputs[0], used);
    MarkResults(loop, is_used, used);
    const auto carries = std::views::iota(size_t{0}, carried);
    if (carried > 0 && LeastCarried() > 0 && std::ranges::none_of(carries, is_used)) {
      (*used)[static_cast<size_t>(body.inputs[2])] = true;
      MarkResults(loop, is_used, used);
    }
    for (size_t i = 0; i < loop.inputs.size(); ++i) {
      if (i < 2 || is_used(i - 2)) MarkArg(loop.inputs[i], used);
    }
  }

  size_t LeastCarried() const { return graph_->opset < kBareLoopOpset ? 1 : 0; }

  ir::Graph* graph_;
  std::vector<bool> used_;
  bool removed_ = false;
};

}  // namespace

bool RemoveDead(ir::Graph* graph) { return DeadRemover(graph).Run(); }

}  // namespace onnxport::passes
