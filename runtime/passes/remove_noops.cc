#include "runtime/passes/remove_noops.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "runtime/ir/read_node.h"
#include "runtime/passes/rewrite.h"

namespace onnxport::passes {
namespace {

using ir::ValueId;

constexpr int kMostReshapes = 64;  // that are looked back over; merging shortens longer chains

bool IsOneOf(std::string_view op, std::initializer_list<std::string_view> ops) {
  return std::ranges::find(ops, op) != ops.end();
}

bool OnlyReshapes(std::string_view op) {
  return IsOneOf(op, {"Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity"});
}

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
    if (IsNoop(node, graph_->value(input), graph_->value(node.outputs[0]))) return input;
    if (OnlyReshapes(node.op)) return EarlierShape(node);
    if (IsOneOf(node.op, {"Neg", "Not"})) return Undone(node);
    return ValueId::kNone;
  }

  // What the node and the one before it, which does the same, both turn round.
  ValueId Undone(const ir::Node& node) const {
    const ir::Node* before = producers_.Of(InputAt(node, 0));
    return before != nullptr && before->op == node.op ? InputAt(*before, 0) : ValueId::kNone;
  }

  bool IsNoop(const ir::Node& node, const ir::Value& input, const ir::Value& output) const {
    if (node.op == "Identity") return true;
    if (node.op == "Cast") return CastsTo(node) == input.dtype && input.dtype != ir::DType::kUndefined;
    if (node.op == "Concat") return node.inputs.size() == 1;
    if (node.op == "Dropout") return IsDropoutOff(node);
    if (node.op == "Transpose") return KeepsOrder(node, input);
    if (IsOneOf(node.op, {"Expand", "Tile"})) return SameDims(input, output);
    if (node.op == "Slice") return SameDims(input, output) && StepsAreOne(node);
    return false;
  }

  bool IsDropoutOff(const ir::Node& node) const {
    if (InputAt(node, 2) != ValueId::kNone) return false;  // training_mode, since opset 12
    return node.outputs.size() < 2 || node.outputs[1] == ValueId::kNone || !used_[static_cast<size_t>(node.outputs[1])];
  }

  static ir::DType CastsTo(const ir::Node& node) { return ir::DTypeOfNumber(IntAttribute(node, "to", 0)); }

  static bool KeepsOrder(const ir::Node& node, const ir::Value& input) {
    const auto perm = IntsAttribute(node, "perm");
    if (!perm) return input.dims && input.dims->size() < 2;  // the default reverses the axes
    return std::ranges::is_sorted(*perm);
  }

  // Another step may flip an axis, which keeps the shape.
  bool StepsAreOne(const ir::Node& node) const {
    const ValueId steps = InputAt(node, 4);
    if (steps == ValueId::kNone) return true;
    const std::optional<ir::Dims>& known = graph_->value(steps).contents;
    return known && std::ranges::all_of(*known, [](const ir::Dim& step) { return step == ir::Dim(1); });
  }

  // Nodes that only reshape keep the elements and their order, so that an equal shape is an equal tensor.
  ValueId EarlierShape(const ir::Node& node) const {
    const ir::Value& output = graph_->value(node.outputs[0]);
    ValueId equal = ValueId::kNone;
    int steps = kMostReshapes;
    for (const ir::Node* at = &node; at != nullptr && OnlyReshapes(at->op) && steps-- > 0;) {
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
