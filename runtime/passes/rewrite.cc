#include "runtime/passes/rewrite.h"

#include <algorithm>

namespace onnxport::passes {

using ir::ValueId;

const ir::Arg* FindAttribute(const ir::Node& node, std::string_view name) {
  const auto found = std::ranges::find(node.attributes, name, &ir::Attribute::name);
  return found == node.attributes.end() ? nullptr : &found->value;
}

int64_t IntAttribute(const ir::Node& node, std::string_view name, int64_t otherwise) {
  const ir::Arg* attribute = FindAttribute(node, name);
  if (attribute == nullptr) return otherwise;
  if (const auto* number = std::get_if<int64_t>(&attribute->v)) return *number;
  if (const auto* flag = std::get_if<bool>(&attribute->v)) return *flag;
  if (const auto* dtype = std::get_if<ir::DType>(&attribute->v)) return static_cast<int64_t>(*dtype);
  return otherwise;
}

std::optional<std::vector<int64_t>> IntsAttribute(const ir::Node& node, std::string_view name) {
  const ir::Arg* attribute = FindAttribute(node, name);
  if (attribute == nullptr || attribute->list() == nullptr) return std::nullopt;
  std::vector<int64_t> ints;
  for (const ir::Arg& element : *attribute->list()) {
    const auto* number = std::get_if<int64_t>(&element.v);
    if (number == nullptr) return std::nullopt;
    ints.push_back(*number);
  }
  return ints;
}

ValueId InputAt(const ir::Node& node, size_t position) {
  if (position >= node.inputs.size() || node.inputs[position].value() == nullptr) return ValueId::kNone;
  return *node.inputs[position].value();
}

bool SameDims(const ir::Value& a, const ir::Value& b) {
  return a.dims && b.dims && std::ranges::equal(*a.dims, *b.dims);
}

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

void Replacer::Replace(ValueId from, ValueId to) {
  const ValueId further = replacement_[static_cast<size_t>(to)];
  replacement_[static_cast<size_t>(from)] = further == ValueId::kNone ? to : further;
  changed_ = true;
}

void Replacer::Update(ir::Arg* arg) const {
  auto* id = std::get_if<ValueId>(&arg->v);
  if (id == nullptr) return;
  const ValueId to = replacement_[static_cast<size_t>(*id)];
  if (to != ValueId::kNone) *id = to;
}

void Replacer::UpdateInputs(ir::Node* node) const {
  for (ir::Arg& input : node->inputs) Update(&input);
}

bool Replacer::UpdateOutputs() {
  for (ir::Arg& output : graph_->body.outputs) Update(&output);
  for (ir::Port& port : graph_->outputs) Update(&port.value);
  return changed_;
}

}  // namespace onnxport::passes
