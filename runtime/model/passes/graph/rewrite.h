// Shared by the passes: walking over nodes, replacing values.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_REWRITE_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_REWRITE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Calls `visit` for the nodes of a block in order; the nodes of a node's own blocks come right after it.
template <typename Block, typename Visit>
void ForEachNode(Block& block, const Visit& visit) {
  for (auto& node : block.nodes) {
    visit(node);
    for (auto& inner : node.blocks) ForEachNode(inner, visit);
  }
}

// Calls `visit` for each value that a node uses, those of its blocks included, in order.
template <typename Visit>
void ForEachUse(const ir::Node& node, const Visit& visit) {
  const auto visit_all = [&](const std::vector<ir::Arg>& args) {
    for (const ir::Arg& arg : args)
      if (arg.value() != nullptr && *arg.value() != ir::ValueId::kNone) visit(*arg.value());
  };
  visit_all(node.inputs);
  for (const ir::Block& block : node.blocks) {
    for (const ir::Node& inner : block.nodes) ForEachUse(inner, visit);
    visit_all(block.outputs);
  }
}

// True when both shapes are known and equal in every dimension, whatever the symbols stand for.
bool SameDims(const ir::Value& a, const ir::Value& b);

// True for a Reshape, Flatten, Squeeze or Unsqueeze: the same elements in the same order.
bool OnlyReshapes(const ir::Node& node);

// The node that makes each value; null for inputs and weights. Valid while no node is added or erased.
class Producers {
 public:
  explicit Producers(const ir::Graph& graph);
  const ir::Node* Of(ir::ValueId id) const;

 private:
  std::vector<const ir::Node*> nodes_;
};

// How often each value is used: as the input of a node, or as what a block or the model gives.
class UseCounts {
 public:
  explicit UseCounts(const ir::Graph& graph);
  int Count(ir::ValueId id) const { return counts_[static_cast<size_t>(id)]; }
  bool IsBlockOutput(ir::ValueId id) const { return outputs_[static_cast<size_t>(id)]; }
  // True if a node needs the value, and nothing else does.
  bool IsForOneNode(ir::ValueId id) const { return Count(id) == 1 && !IsBlockOutput(id); }

 private:
  void AddOutputs(const ir::Block& block);

  std::vector<int> counts_;
  std::vector<bool> outputs_;
};

// The nodes of the graph's body that are one operator and have a value as input `input`, by their indices, in order.
// Valid while no node is added or erased.
class UsersOf {
 public:
  UsersOf(const ir::Graph& graph, std::string_view op, size_t input);
  std::span<const size_t> Find(ir::ValueId id) const;

 private:
  std::unordered_map<ir::ValueId, std::vector<size_t>> nodes_;
};

// Replaces values while a pass walks the nodes in order, those of blocks included. No node is erased: dead ones are
// left to `RemoveDead`. Outputs of blocks stay as they are, so that each is made by a node of its block, as runtimes
// want it.
class Replacer {
 public:
  explicit Replacer(ir::Graph* graph) : graph_(graph), replacement_(graph->values.size(), ir::ValueId::kNone) {}

  // Users of `from` that come later use `to`.
  void Replace(ir::ValueId from, ir::ValueId to);
  // To be called for each node on the way.
  void UpdateInputs(ir::Node* node);
  // To be called after the last node; returns whether anything has another input now. A value that nobody uses, or
  // that is only a block's output, changes nothing, however often it is replaced.
  bool UpdateOutputs();

 private:
  void Update(ir::Arg* arg);

  ir::Graph* graph_;
  std::vector<ir::ValueId> replacement_;  // already resolved
  bool changed_ = false;
};

// From node `index` of the body on, uses of `from` become uses of `to`.
struct ReplacedUse {
  size_t index;
  ir::ValueId from;
  ir::ValueId to;
};

// All of these, which are in the order of their nodes; of the outputs, too.
void ReplaceUses(const std::vector<ReplacedUse>& replaced, ir::Graph* graph);

// Nodes that a pass wants in front of others, while it walks the nodes of a block. The list of nodes is made anew only
// if there are any.
class Insertions {
 public:
  // In front of node `index` of the block, behind those that were put there before.
  const ir::Node& Before(size_t index, ir::Node node);
  // To be called after the last node; returns whether there were any.
  bool Into(ir::Block* block);

 private:
  std::deque<std::pair<size_t, ir::Node>> nodes_;  // what `Before` returns stays where it is
};

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_REWRITE_H_
