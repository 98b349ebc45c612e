#include "runtime/model/passes/simplify/sink_transposes.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <unordered_map>
#include <vector>

#include "runtime/ir/read_node.h"
#include "runtime/model/passes/graph/rewrite.h"
#include "runtime/onnx/op_facts.h"
#include "runtime/onnx/permutation.h"

namespace onnxport::passes {
namespace {

using ir::Node;
using ir::ValueId;
using onnx_ops::Compose;
using onnx_ops::IsPermutation;
using onnx_ops::Perm;
using onnx_ops::PermOf;
using onnx_ops::ToArg;

constexpr size_t kMostSunk = 32;  // between two Transposes

class Sinker {
 public:
  explicit Sinker(ir::Graph* graph) : graph_(graph), uses_(*graph) {}

  bool Visit(ir::Block* block) {
    bool changed = false;
    std::unordered_map<ValueId, Node*> made;
    made.swap(made_);  // values of a block are only used in it, so it can be moved
    for (Node& node : block->nodes) {
      for (ir::Block& inner : node.blocks) changed |= Visit(&inner);
      if (node.op == "Transpose") changed |= Sink(&node);
      for (const ValueId output : node.outputs) made_.emplace(output, &node);
    }
    made.swap(made_);
    return changed;
  }

 private:
  // The nodes between a Transpose and those before it, the last one first.
  struct Between {
    Perm perm;  // of those before
    std::vector<Node*> nodes;
  };

  // Checks everything before it moves anything: if a chain does not fit, the graph stays unchanged.
  bool Sink(Node* last) {
    const auto perm = IntsAttribute(*last, "perm");
    if (!perm || !IsPermutation(*perm)) return false;
    Between between;
    if (!Collect(InputAt(*last, 0), perm->size(), &between) || between.nodes.empty() || between.perm.empty())
      return false;
    for (Node* node : between.nodes) Move(between.perm, node);
    last->attributes = {{"perm", ToArg(Compose(between.perm, *perm))}};
    return true;
  }

  // False if the value is not made from Transposes of one order and from numbers.
  bool Collect(ValueId id, size_t rank, Between* between) const {
    Node* node = MakerOf(id);
    if (node == nullptr) return false;
    if (node->op == "Transpose") {
      const auto perm = PermOf(*node, rank);
      if (!perm || (!between->perm.empty() && between->perm != *perm)) return false;
      between->perm = *perm;
      return true;
    }
    const std::optional<ir::Dims>& dims = graph_->value(id).dims;
    if (!IsElementwise(*node) || node->outputs.size() != 1 || uses_.Count(id) != 1) return false;
    if (!dims || dims->size() != rank || between->nodes.size() == kMostSunk) return false;
    between->nodes.push_back(node);
    return std::ranges::all_of(node->inputs, [&](const ir::Arg& input) {
      return input.value() == nullptr || IsNumber(*input.value(), rank) || Collect(*input.value(), rank, between);
    });
  }

  static bool IsElementwise(const Node& node) { return onnx_ops::Find(node.op).form == onnx_ops::Form::kElementwise; }

  // Returns true if no axis of the value can be moved.
  bool IsNumber(ValueId id, size_t rank) const {
    const std::optional<ir::Dims>& dims = graph_->value(id).dims;
    return dims && dims->size() <= rank &&
           std::ranges::all_of(*dims, [](const ir::Dim& size) { return size == ir::Dim(1); });
  }

  Node* MakerOf(ValueId id) const {
    const auto found = made_.find(id);
    return found == made_.end() ? nullptr : found->second;
  }

  // Makes the node use the inputs of the Transposes.
  void Move(const Perm& perm, Node* node) {
    for (ir::Arg& input : node->inputs) {
      const Node* before = input.value() == nullptr ? nullptr : MakerOf(*input.value());
      if (before != nullptr && before->op == "Transpose" && !IsNumber(*input.value(), perm.size()))
        input = before->inputs[0];
    }
    // Its shape is that of before the Transposes: result axis i was axis perm[i].
    ir::Dims& dims = *graph_->value(node->outputs[0]).dims;
    const ir::Dims moved = dims;
    for (size_t i = 0; i < perm.size(); ++i) dims[static_cast<size_t>(perm[i])] = moved[i];
  }

  ir::Graph* graph_;
  const UseCounts uses_;
  std::unordered_map<ValueId, Node*> made_;  // in this block, by what they give
};

}  // namespace

bool SinkTransposes(ir::Graph* graph) {
  // Most graphs have none, and then no producers are needed.
  bool any = false;
  ForEachNode(graph->body, [&any](const Node& node) { any = any || node.op == "Transpose"; });
  return any && Sinker(graph).Visit(&graph->body);
}

}  // namespace onnxport::passes
