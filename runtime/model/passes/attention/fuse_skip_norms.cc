#include "runtime/model/passes/attention/fuse_skip_norms.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/ir/read_node.h"
#include "runtime/model/passes/graph/rewrite.h"

namespace onnxport::passes {
namespace {

using ir::DType;
using ir::InputAt;
using ir::Node;
using ir::ValueId;

class SkipNormFuser {
 public:
  explicit SkipNormFuser(ir::Graph* graph) : graph_(graph) { NoteFirstUses(); }

  bool Run() {
    std::vector<Node>& nodes = graph_->body.nodes;
    std::vector<bool> is_taken(nodes.size());
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].op != "RMSNormalization" || nodes[i].outputs.size() != 1) continue;
      const ValueId sum = InputAt(nodes[i], 0);
      const size_t add = made_by_[static_cast<size_t>(sum)];
      if (add >= nodes.size() || is_taken[add] || !Fits(nodes[i], nodes[add], i)) continue;
      is_taken[add] = true;
      Fuse(nodes[add], &nodes[i]);
    }
    std::vector<Node> left;
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (!is_taken[i]) left.push_back(std::move(nodes[i]));
    }
    const bool changed = left.size() < nodes.size();
    nodes = std::move(left);
    return changed;
  }

 private:
  // By node of the body; what is used in a block is used by the node that has it.
  void NoteFirstUses() {
    const size_t count = graph_->body.nodes.size();
    first_use_.resize(graph_->values.size(), count);
    made_by_.resize(graph_->values.size(), count);
    for (size_t i = count; i-- > 0;) {
      const Node& node = graph_->body.nodes[i];
      NoteUses(node, i);
      for (const ir::Block& block : node.blocks) {
        ForEachNode(block, [&](const Node& inner) { NoteUses(inner, i); });
      }
      for (const ValueId output : node.outputs) {
        if (output != ValueId::kNone) made_by_[static_cast<size_t>(output)] = i;
      }
    }
  }
  void NoteUses(const Node& node, size_t index) {
    for (const ir::Arg& input : node.inputs) {
      if (input.value() != nullptr) first_use_[static_cast<size_t>(*input.value())] = index;
    }
    for (const ir::Block& block : node.blocks) {
      for (const ir::Arg& output : block.outputs) {
        if (output.value() != nullptr) first_use_[static_cast<size_t>(*output.value())] = index;
      }
    }
  }

  // ONNX Runtime's kernel takes 2 or 3 axes; the sum is there only from the norm on.
  bool Fits(const Node& norm, const Node& add, size_t index) const {
    const ValueId sum = InputAt(norm, 0);
    const ir::Value& value = graph_->value(sum);
    if (add.op != "Add" || first_use_[static_cast<size_t>(sum)] != index || value.dtype != DType::kFloat32 ||
        !value.dims || value.dims->size() < 2 || value.dims->size() > 3 || IntAttribute(norm, "stash_type", 1) != 1)
      return false;
    const int64_t axis = IntAttribute(norm, "axis", -1);
    const ir::Value& scale = graph_->value(InputAt(norm, 1));
    return (axis == -1 || axis + 1 == std::ssize(*value.dims)) && scale.dtype == DType::kFloat32 &&
           scale.dims == ir::Dims{value.dims->back()} && SameDims(graph_->value(InputAt(add, 0)), value) &&
           SameDims(graph_->value(InputAt(add, 1)), value);
  }

  static void Fuse(const Node& add, Node* norm) {
    const ir::Arg* epsilon = FindAttribute(*norm, "epsilon");
    norm->attributes = {{"epsilon", epsilon == nullptr ? ir::Arg{1e-5} : *epsilon}};
    norm->op = "com.microsoft.SkipSimplifiedLayerNormalization";
    norm->outputs = {norm->outputs[0], ValueId::kNone, ValueId::kNone, InputAt(*norm, 0)};
    norm->inputs = {add.inputs[0], add.inputs[1], norm->inputs[1]};
  }

  ir::Graph* graph_;
  std::vector<size_t> first_use_;
  std::vector<size_t> made_by_;
};

}  // namespace

bool FuseSkipNorms(ir::Graph* graph) { return SkipNormFuser(graph).Run(); }

}  // namespace onnxport::passes
