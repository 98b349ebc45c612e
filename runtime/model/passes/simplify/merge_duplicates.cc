#include "runtime/model/passes/simplify/merge_duplicates.h"

#include <string>
#include <vector>

#include "runtime/base/text_map.h"
#include "runtime/lowering/types/node_schema.h"
#include "runtime/model/passes/graph/argument_key.h"
#include "runtime/model/passes/graph/rewrite.h"
#include "runtime/onnx/op_facts.h"

namespace onnxport::passes {
namespace {

using ir::ValueId;

// Returns true if equal inputs give equal results. An operator that is not ONNX's own must say so in its schema.
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

// By identity of the bytes: weights that are separate in the model stay separate.
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
      const auto [first, is_new] = weights_.Add(KeyOf(*weight.data), weight.value);
      if (!is_new) replacer_.Replace(weight.value, *first);
    }
    VisitBlock(&graph_->body);
    return replacer_.UpdateOutputs();
  }

 private:
  // Values made in a block are forgotten at its end, because nothing outside can use them.
  void VisitBlock(ir::Block* block) {
    std::vector<const ir::Node**> added;
    for (ir::Node& node : block->nodes) {
      replacer_.UpdateInputs(&node);
      for (ir::Block& inner : node.blocks) VisitBlock(&inner);
      if (IsPure(node.op) && node.blocks.empty()) Visit(node, &added);
    }
    for (const ir::Node** first : added) *first = nullptr;
  }

  void Visit(const ir::Node& node, std::vector<const ir::Node**>* added) {
    const ir::Node** first = nodes_.Add(KeyOf(node), nullptr).first;
    if (*first == nullptr) {
      *first = &node;
      return added->push_back(first);
    }
    const ir::ValueIds& kept = (*first)->outputs;
    for (size_t i = 0; i < kept.size(); ++i) {
      // If the earlier node lacks an output that this one has, nothing is replaced.
      if (kept[i] == ValueId::kNone && node.outputs[i] != ValueId::kNone) return;
    }
    for (size_t i = 0; i < kept.size(); ++i) {
      if (node.outputs[i] != ValueId::kNone) replacer_.Replace(node.outputs[i], kept[i]);
    }
  }

  ir::Graph* graph_;
  Replacer replacer_;
  TextMap<ValueId> weights_;
  // By key: the first node in this block and those around it, whose values can be used; null after its block has ended.
  TextMap<const ir::Node*> nodes_;
};

}  // namespace

bool MergeDuplicates(ir::Graph* graph) { return DuplicateMerger(graph).Run(); }

}  // namespace onnxport::passes
