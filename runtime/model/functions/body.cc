#include "runtime/model/functions/body.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "runtime/model/passes/graph/argument_key.h"

namespace onnxport::functions {
namespace {

using ir::ValueId;

class Describer {
 public:
  Describer(const ir::Graph& graph, const std::vector<Origin>& origins, Body* body)
      : graph_(graph), origins_(origins), body_(*body) {}

  void Run() {
    for (const ir::Node& node : body_.nodes) Write(node);
    for (const ValueId output : body_.outputs) Use(output);
    // Inputs of one kind stay in the order of their first use. So two bodies with one key have the same order, and a
    // call of one fits the function of the other.
    std::ranges::stable_sort(body_.inputs, {}, [this](ValueId input) { return OriginOf(input); });
    body_.key = key_.text();
  }

 private:
  Origin OriginOf(ValueId id) const { return origins_[static_cast<size_t>(id)]; }

  void Write(const ir::Node& node) {
    key_.Text('o', node.op);
    key_.Number('I', static_cast<int64_t>(node.inputs.size()));
    for (const ir::Arg& input : node.inputs) {
      input.is_none() ? key_.Write(input) : Use(*input.value());
    }
    key_.Number('A', static_cast<int64_t>(node.attributes.size()));
    for (const ir::Attribute& attribute : node.attributes) {
      key_.Text('a', attribute.name);
      key_.Write(attribute.value);
    }
    key_.Number('B', static_cast<int64_t>(node.blocks.size()));
    for (const ir::Block& block : node.blocks) Write(block);
    key_.Number('O', static_cast<int64_t>(node.outputs.size()));
    for (const ValueId output : node.outputs) Define(output);
  }

  void Write(const ir::Block& block) {
    key_.Number('P', static_cast<int64_t>(block.inputs.size()));
    for (const ValueId input : block.inputs) Define(input);
    key_.Number('N', static_cast<int64_t>(block.nodes.size()));
    for (const ir::Node& node : block.nodes) Write(node);
    key_.Number('R', static_cast<int64_t>(block.outputs.size()));
    for (const ir::Arg& output : block.outputs) Use(*output.value());
  }

  // In Relu(Add(x, w)), x is value 0 and w is value 1 in every layer. So the keys of two layers are equal, though their
  // values differ.
  void Use(ValueId id) {
    const auto found = numbers_.find(id);
    if (found != numbers_.end()) return key_.Number('v', found->second);
    body_.inputs.push_back(id);
    key_.Number('x', static_cast<int64_t>(OriginOf(id)));
    Define(id);
  }

  void Define(ValueId id) {
    if (id == ValueId::kNone) return key_.Write({});
    numbers_.emplace(id, static_cast<int64_t>(body_.values.size()));
    body_.values.push_back(id);
    const ir::Value& value = graph_.value(id);
    key_.Number('k', static_cast<int64_t>(value.kind));
    key_.Number('t', static_cast<int64_t>(value.dtype));
  }

  const ir::Graph& graph_;
  const std::vector<Origin>& origins_;
  Body& body_;
  passes::ArgumentKey key_;
  std::unordered_map<ValueId, int64_t> numbers_;
};

using Replacements = std::unordered_map<ValueId, ValueId>;

void Replace(const Replacements& replace, ValueId* id) {
  if (const auto found = replace.find(*id); found != replace.end()) *id = found->second;
}

void Replace(const Replacements& replace, ir::Arg* arg) {
  if (ValueId* id = std::get_if<ValueId>(&arg->v)) Replace(replace, id);
}

}  // namespace

Body Describe(const ir::Graph& graph, const std::vector<Origin>& origins, std::vector<ir::Node> nodes,
              std::vector<ValueId> outputs) {
  Body body{.nodes = std::move(nodes), .outputs = std::move(outputs), .inputs = {}, .values = {}, .key = {}};
  Describer(graph, origins, &body).Run();
  return body;
}

void ReplaceValues(const Replacements& replace, ir::Block* block) {
  for (ir::Node& node : block->nodes) {
    for (ir::Arg& input : node.inputs) Replace(replace, &input);
    for (ValueId& output : node.outputs) Replace(replace, &output);
    for (ir::Block& inner : node.blocks) ReplaceValues(replace, &inner);
  }
  for (ir::Arg& output : block->outputs) Replace(replace, &output);
}

}  // namespace onnxport::functions
