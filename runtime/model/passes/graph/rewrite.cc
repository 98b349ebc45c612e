#include "runtime/model/passes/graph/rewrite.h"

#include <algorithm>
#include <utility>

#include "runtime/ir/read_node.h"
#include "runtime/onnx/op_facts.h"

namespace onnxport::passes {

using ir::ValueId;

bool SameDims(const ir::Value& a, const ir::Value& b) {
  return a.dims && b.dims && std::ranges::equal(*a.dims, *b.dims);
}

bool OnlyReshapes(const ir::Node& node) { return onnx_ops::Find(node.op).form == onnx_ops::Form::kView; }

Producers::Producers(const ir::Graph& graph) : nodes_(graph.values.size(), nullptr) {
  ForEachNode(graph.body, [this](const ir::Node& node) {
    for (const ValueId output : node.outputs) {
      if (output != ValueId::kNone) nodes_[static_cast<size_t>(output)] = &node;
    }
  });
}

const ir::Node* Producers::Of(ValueId id) const {
  return id == ValueId::kNone || static_cast<size_t>(id) >= nodes_.size() ? nullptr : nodes_[static_cast<size_t>(id)];
}

UseCounts::UseCounts(const ir::Graph& graph) : counts_(graph.values.size()), outputs_(graph.values.size()) {
  ForEachNode(graph.body, [this](const ir::Node& node) {
    for (const ir::Arg& input : node.inputs) {
      if (input.value() != nullptr) ++counts_[static_cast<size_t>(*input.value())];
    }
    for (const ir::Block& block : node.blocks) AddOutputs(block);
  });
  AddOutputs(graph.body);
}

void UseCounts::AddOutputs(const ir::Block& block) {
  for (const ir::Arg& output : block.outputs) {
    if (output.value() == nullptr) continue;
    ++counts_[static_cast<size_t>(*output.value())];
    outputs_[static_cast<size_t>(*output.value())] = true;
  }
}

UsersOf::UsersOf(const ir::Graph& graph, std::string_view op, size_t input) {
  for (size_t i = 0; i < graph.body.nodes.size(); ++i) {
    const ir::Node& node = graph.body.nodes[i];
    if (node.op == op && ir::InputAt(node, input) != ValueId::kNone) nodes_[ir::InputAt(node, input)].push_back(i);
  }
}

std::span<const size_t> UsersOf::Find(ValueId id) const {
  const auto found = nodes_.find(id);
  return found == nodes_.end() ? std::span<const size_t>() : found->second;
}

// In a chain c -> b -> a, b was replaced before c is reached, because producers come first. So one step is enough.
void Replacer::Replace(ValueId from, ValueId to) {
  const ValueId further = replacement_[static_cast<size_t>(to)];
  replacement_[static_cast<size_t>(from)] = further == ValueId::kNone ? to : further;
}

void Replacer::Update(ir::Arg* arg) {
  auto* id = std::get_if<ValueId>(&arg->v);
  if (id == nullptr) return;
  const ValueId to = replacement_[static_cast<size_t>(*id)];
  if (to == ValueId::kNone) return;
  *id = to;
  changed_ = true;
}

void Replacer::UpdateInputs(ir::Node* node) {
  for (ir::Arg& input : node->inputs) Update(&input);
}

bool Replacer::UpdateOutputs() {
  for (ir::Arg& output : graph_->body.outputs) Update(&output);
  for (ir::Port& port : graph_->outputs) Update(&port.value);
  return changed_;
}

void ReplaceUses(const std::vector<ReplacedUse>& replaced, ir::Graph* graph) {
  if (replaced.empty()) return;
  Replacer replacer(graph);
  auto next = replaced.begin();
  for (size_t i = 0; i < graph->body.nodes.size(); ++i) {
    for (; next != replaced.end() && next->index == i; ++next) replacer.Replace(next->from, next->to);
    ir::Node& node = graph->body.nodes[i];
    replacer.UpdateInputs(&node);
    for (ir::Block& block : node.blocks) ForEachNode(block, [&](ir::Node& inner) { replacer.UpdateInputs(&inner); });
  }
  replacer.UpdateOutputs();
}

const ir::Node& Insertions::Before(size_t index, ir::Node node) {
  return nodes_.emplace_back(index, std::move(node)).second;
}

bool Insertions::Into(ir::Block* block) {
  if (nodes_.empty()) return false;
  std::ranges::stable_sort(nodes_, {}, [](const auto& insertion) { return insertion.first; });
  std::vector<ir::Node> all;
  all.reserve(block->nodes.size() + nodes_.size());
  for (size_t i = 0; i < block->nodes.size(); ++i) {
    for (; !nodes_.empty() && nodes_.front().first == i; nodes_.pop_front()) {
      all.push_back(std::move(nodes_.front().second));
    }
    all.push_back(std::move(block->nodes[i]));
  }
  // Those at the end.
  for (auto& [index, node] : nodes_) all.push_back(std::move(node));
  nodes_.clear();
  block->nodes = std::move(all);
  return true;
}

}  // namespace onnxport::passes
