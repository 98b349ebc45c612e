#include "runtime/model/passes/simplify/merge_reshapes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/ir/read_node.h"
#include "runtime/model/passes/graph/reshape_shape.h"
#include "runtime/model/passes/graph/rewrite.h"
#include "runtime/onnx/node_view.h"
#include "runtime/onnx/op_facts.h"
#include "runtime/onnx/permutation.h"

namespace onnxport::passes {
namespace {

using ir::Dims;
using ir::Node;
using ir::ValueId;
using onnx_ops::NodeView;
using Ints = std::vector<int64_t>;

constexpr int kFirstAxesInput = 13;  // opset of Unsqueeze; before, the axes are an attribute

class ReshapeMerger {
 public:
  explicit ReshapeMerger(ir::Graph* graph) : graph_(graph), producers_(*graph), uses_(*graph) {}

  bool Visit(ir::Block* block) {
    bool changed = false;
    Insertions constants;
    for (size_t i = 0; i < block->nodes.size(); ++i) {
      Node& node = block->nodes[i];
      for (ir::Block& inner : node.blocks) changed |= Visit(&inner);
      const Node* before = OnlyReshapes(node) ? producers_.Of(InputAt(node, 0)) : nullptr;
      if (before == nullptr || !OnlyReshapes(*before)) continue;
      changed |= HasPlainShape(node) ? Skip(*before, &node) : Merge(*before, i, &node, &constants);
    }
    constants.Into(block);
    return changed;
  }

 private:
  // A 0 in the shape would copy a dimension of the skipped tensor. A -1 is allowed, because the number of elements is
  // the same.
  bool HasPlainShape(const Node& node) const {
    if (node.op != "Reshape") return false;
    const std::optional<Ints> shape = NodeView{*graph_, node}.Numbers(1);
    return shape && std::ranges::find(*shape, 0) == shape->end();
  }

  static bool Skip(const Node& before, Node* node) {
    node->inputs[0] = before.inputs[0];
    return true;
  }

  bool Merge(const Node& before, size_t index, Node* node, Insertions* constants) {
    const std::optional<Dims>& source = graph_->value(InputAt(before, 0)).dims;
    const std::optional<Dims>& result = graph_->value(node->outputs[0]).dims;
    if (!source || !result) return false;
    const char* op = "Unsqueeze";
    std::optional<Ints> numbers = BothAxes(before, *node, result->size());
    const bool is_reshape = !numbers && (node->op == "Reshape" || uses_.Count(before.outputs[0]) == 1);
    if (is_reshape) {
      op = "Reshape";
      numbers = ReshapeShape(*source, *result, graph_->ranges);
    }
    if (!numbers) return false;
    node->op = op;
    node->inputs = {before.inputs[0]};
    node->attributes.clear();
    if (!is_reshape && graph_->opset < kFirstAxesInput) {
      node->attributes.push_back({"axes", onnx_ops::ToArg(*numbers)});
      return true;
    }
    node->inputs.push_back({constants->Before(index, IntsConstant(*numbers, node->location, graph_)).outputs[0]});
    return true;
  }

  // Returns the axes of the result that either of two Unsqueeze added. The other axes are, in order, those of the
  // tensor between the two, and the axes that the first added have their places there.
  std::optional<Ints> BothAxes(const Node& first, const Node& second, size_t rank) const {
    const std::optional<Ints> outer = NewAxes(second, rank);
    if (!outer) return std::nullopt;
    const std::optional<Ints> inner = NewAxes(first, rank - outer->size());
    if (!inner) return std::nullopt;
    Ints both;
    for (int64_t axis = 0, between = 0; axis < static_cast<int64_t>(rank); ++axis) {
      const bool is_outer = std::ranges::find(*outer, axis) != outer->end();
      if (is_outer || std::ranges::find(*inner, between) != inner->end()) both.push_back(axis);
      if (!is_outer) ++between;
    }
    return both;
  }

  // The axes that an Unsqueeze adds, counted in its result of `rank` axes from the front; nothing of other nodes.
  std::optional<Ints> NewAxes(const Node& node, size_t rank) const {
    if (node.op != "Unsqueeze") return std::nullopt;
    const std::optional<Dims> list = NodeView{*graph_, node}.List("axes", 1);
    std::optional<Ints> axes = list ? NodeView::AllNumbers(*list) : std::nullopt;
    if (!axes) return std::nullopt;
    for (int64_t& axis : *axes) axis += axis < 0 ? static_cast<int64_t>(rank) : 0;
    return axes;
  }

  ir::Graph* graph_;
  const Producers producers_;
  const UseCounts uses_;
};

}  // namespace

bool MergeReshapes(ir::Graph* graph) { return ReshapeMerger(graph).Visit(&graph->body); }

}  // namespace onnxport::passes
