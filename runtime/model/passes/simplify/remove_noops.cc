#include "runtime/model/passes/simplify/remove_noops.h"

#include <algorithm>
#include <vector>

#include "runtime/ir/read_node.h"
#include "runtime/model/passes/graph/rewrite.h"
#include "runtime/onnx/op_facts.h"

namespace onnxport::passes {
namespace {

using ir::ValueId;

constexpr int kMostReshapes = 64;  // nodes that are searched backwards; merging shortens longer chains

class NoopRemover {
 public:
  explicit NoopRemover(ir::Graph* graph) : graph_(graph), replacer_(graph), producers_(*graph), used_(Used(*graph)) {}

  bool Run() {
    ForEachNode(graph_->body, [this](ir::Node& node) {
      replacer_.UpdateInputs(&node);
      if (node.inputs.empty() || node.outputs.empty() || node.outputs[0] == ValueId::kNone) return;
      const ValueId same = SameAs(node);
      if (same != ValueId::kNone) replacer_.Replace(node.outputs[0], same);
    });
    return replacer_.UpdateOutputs();
  }

 private:
  // The value that the node's first output equals; kNone when there is none.
  ValueId SameAs(const ir::Node& node) const {
    const ValueId input = InputAt(node, 0);
    if (input == ValueId::kNone) return ValueId::kNone;
    const onnx_ops::OpFacts& facts = onnx_ops::Find(node.op);
    if (facts.is_noop != nullptr && facts.is_noop({*graph_, node}) && !OthersUsed(node)) return input;
    // In [2, 3] -> [6] -> [2, 3] the second Reshape is the tensor before the first.
    if (facts.form == onnx_ops::Form::kView) return EarlierShape(node);
    return facts.undoes_itself ? Undone(node) : ValueId::kNone;
  }

  // Returns true if results other than the first are used, such as the mask of a Dropout.
  bool OthersUsed(const ir::Node& node) const {
    return std::any_of(node.outputs.begin() + 1, node.outputs.end(),
                       [this](ValueId id) { return id != ValueId::kNone && used_[static_cast<size_t>(id)]; });
  }

  // The value that the node and the same operator before it both invert.
  ValueId Undone(const ir::Node& node) const {
    const ir::Node* before = producers_.Of(InputAt(node, 0));
    return before != nullptr && before->op == node.op ? InputAt(*before, 0) : ValueId::kNone;
  }

  // Nodes that only reshape keep the elements and their order, so an equal shape means an equal tensor.
  ValueId EarlierShape(const ir::Node& node) const {
    const ir::Value& output = graph_->value(node.outputs[0]);
    ValueId equal = ValueId::kNone;
    int steps = kMostReshapes;
    for (const ir::Node* at = &node; at != nullptr && OnlyReshapes(*at) && steps-- > 0;) {
      const ValueId input = InputAt(*at, 0);
      if (input == ValueId::kNone) break;
      if (SameDims(graph_->value(input), output)) equal = input;
      at = producers_.Of(input);
    }
    return equal;
  }

  static std::vector<bool> Used(const ir::Graph& graph) {
    std::vector<bool> used(graph.values.size());
    const auto mark = [&used](const ir::Arg& arg) {
      if (arg.value() != nullptr) used[static_cast<size_t>(*arg.value())] = true;
    };
    ForEachNode(graph.body, [&](const ir::Node& node) {
      std::ranges::for_each(node.inputs, mark);
      for (const ir::Block& block : node.blocks) std::ranges::for_each(block.outputs, mark);
    });
    std::ranges::for_each(graph.body.outputs, mark);
    return used;
  }

  ir::Graph* graph_;
  Replacer replacer_;
  const Producers producers_;
  const std::vector<bool> used_;
};

}  // namespace

bool RemoveNoops(ir::Graph* graph) { return NoopRemover(graph).Run(); }

}  // namespace onnxport::passes
