// Tools for passes: walk over nodes, replace values.
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

// Calls `visit` for the nodes of a block in order. The nodes in a node's own blocks come right after it.
template <typename Block, typename Visit>
void ForEachNode(Block& block, const Visit& visit) {
  for (auto& node : block.nodes) {
    visit(node);
    for (auto& inner : node.blocks) ForEachNode(inner, visit);
  }
}

// Calls `visit` for each value that a node uses, including those used in its blocks, in order.
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

// True if both shapes are known and equal in every dimension, for all values of the symbols.
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

// Counts the uses of each value: as input of a node, or as output of a block or of the model.
class UseCounts {
 public:
  explicit UseCounts(const ir::Graph& graph);
  int Count(ir::ValueId id) const { return counts_[static_cast<size_t>(id)]; }
  bool IsBlockOutput(ir::ValueId id) const { return outputs_[static_cast<size_t>(id)]; }
  // True if exactly one node uses the value, and no block has it as an output.
  bool IsForOneNode(ir::ValueId id) const { return Count(id) == 1 && !IsBlockOutput(id); }

 private:
  void AddOutputs(const ir::Block& block);

  std::vector<int> counts_;
  std::vector<bool> outputs_;
};

// The nodes of the graph's body with one operator that have a value as input `input`: their indices, in order. Valid
// while no node is added or erased.
class UsersOf {
 public:
  UsersOf(const ir::Graph& graph, std::string_view op, size_t input);
  std::span<const size_t> Find(ir::ValueId id) const;

 private:
  std::unordered_map<ir::ValueId, std::vector<size_t>> nodes_;
};

// Replaces values while a pass walks over the nodes in order, including those of blocks. It erases no node:
// `RemoveDead` removes dead ones. Outputs of blocks are not replaced, because runtimes require that a node of the block
// makes each.
class Replacer {
 public:
  explicit Replacer(ir::Graph* graph) : graph_(graph), replacement_(graph->values.size(), ir::ValueId::kNone) {}

  // Users of `from` that come later use `to`.
  void Replace(ir::ValueId from, ir::ValueId to);
  // Call it for each node on the way.
  void UpdateInputs(ir::Node* node);
  // Call it after the last node. Returns true if any node has another input now. Replacing a value that is unused, or
  // only a block's output, does not count.
  bool UpdateOutputs();

 private:
  void Update(ir::Arg* arg);

  ir::Graph* graph_;
  std::vector<ir::ValueId> replacement_;  // already resolved
  bool changed_ = false;
};

// From node `index` of the body on, `to` is used instead of `from`.
struct ReplacedUse {
  size_t index;
  ir::ValueId from;
  ir::ValueId to;
};

// Applies all of these, which are sorted by node, also to the outputs.
void ReplaceUses(const std::vector<ReplacedUse>& replaced, ir::Graph* graph);

// Collects nodes to insert before others, while a pass walks over the nodes of a block. The list of nodes is only
// rebuilt if there are any.
class Insertions {
 public:
  // Inserts before node `index` of the block, after nodes inserted there before.
  const ir::Node& Before(size_t index, ir::Node node);
  // Call it after the last node. Returns true if there were any.
  bool Into(ir::Block* block);

 private:
  std::deque<std::pair<size_t, ir::Node>> nodes_;  // a deque, because results of `Before` must not move
};

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_REWRITE_H_
