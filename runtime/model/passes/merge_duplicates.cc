#include "runtime/model/passes/merge_duplicates.h"

#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/lowering/types/node_schema.h"
#include "runtime/model/passes/argument_key.h"
#include "runtime/model/passes/rewrite.h"
#include "runtime/onnx/op_facts.h"

namespace onnxport::passes {
namespace {

using ir::ValueId;

// Equal inputs give equal results. Of an operator that is not ONNX's own this is known when its schema says so.
bool IsPure(const std::string& op) {
  if (op.find('.') == std::string::npos) return !onnx_ops::Find(op).random;
  const lowering::NodeSchema* schema = lowering::FindNodeSchema(op);
  return schema != nullptr && schema->pure;
}

std::string KeyOf(const ir::Node& node) {
  ArgumentKey key;
  key.Text('o', node.op);
  key.Number('n', static_cast<int64_t>(node.outputs.size()));
  for (const ir::Arg& input : node.inputs) key.Write(input);
  for (const ir::Attribute& attribute : node.attributes) {
    key.Text('a', attribute.name);
    key.Write(attribute.value);
  }
  return key.text();
}

// Bytes by identity, however few: weights keep apart what the model keeps apart.
std::string KeyOf(const ir::TensorData& data) {
  ArgumentKey key;
  key.Number('p', reinterpret_cast<intptr_t>(data.bytes.get()));
  key.Number('t', static_cast<int64_t>(data.dtype));
  for (const int64_t dim : data.shape) key.Number('d', dim);
  return key.text();
}

class DuplicateMerger {
 public:
  explicit DuplicateMerger(ir::Graph* graph) : graph_(graph), replacer_(graph) {}

  bool Run() {
    for (const ir::Weight& weight : graph_->weights) {
      const auto [first, is_new] = weights_.emplace(KeyOf(*weight.data), weight.value);
      if (!is_new) replacer_.Replace(weight.value, first->second);
    }
    nodes_.reserve(graph_->body.nodes.size());  // a table that grows is made anew, again and again
    VisitBlock(&graph_->body);
    return replacer_.UpdateOutputs();
  }

 private:
  // What a block made is forgotten at its end: nobody outside can use it.
  void VisitBlock(ir::Block* block) {
    std::vector<const std::string*> added;
    for (ir::Node& node : block->nodes) {
      replacer_.UpdateInputs(&node);
      for (ir::Block& inner : node.blocks) VisitBlock(&inner);
      if (IsPure(node.op) && node.blocks.empty()) Visit(node, &added);
    }
    // `nodes_` holds the keys of this block and those around it, whose values can be used here.
    if (block != &graph_->body)
      for (const std::string* key : added) nodes_.erase(nodes_.find(*key));
  }

  void Visit(const ir::Node& node, std::vector<const std::string*>* added) {
    const auto [first, is_new] = nodes_.emplace(KeyOf(node), &node);
    if (is_new) return added->push_back(&first->first);
    const ir::ValueIds& kept = first->second->outputs;
    for (size_t i = 0; i < kept.size(); ++i) {
      // An output that the earlier node leaves out cannot be taken from it; then all of them stay.
      if (kept[i] == ValueId::kNone && node.outputs[i] != ValueId::kNone) return;
    }
    for (size_t i = 0; i < kept.size(); ++i) {
      if (node.outputs[i] != ValueId::kNone) replacer_.Replace(node.outputs[i], kept[i]);
    }
  }

  ir::Graph* graph_;
  Replacer replacer_;
  std::unordered_map<std::string, ValueId> weights_;
  std::unordered_map<std::string, const ir::Node*> nodes_;
};

}  // namespace

bool MergeDuplicates(ir::Graph* graph) { return DuplicateMerger(graph).Run(); }

}  // namespace onnxport::passes
