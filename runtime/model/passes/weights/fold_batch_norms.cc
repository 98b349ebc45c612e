#include "runtime/model/passes/weights/fold_batch_norms.h"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/ir/read_node.h"
#include "runtime/model/passes/graph/new_weight.h"
#include "runtime/model/passes/graph/remove_dead.h"
#include "runtime/model/passes/graph/rewrite.h"
#include "runtime/model/passes/graph/weight_index.h"
#include "runtime/model/passes/weights/makers.h"

namespace onnxport::passes {
namespace {

using ir::ValueId;

constexpr double kEpsilon = 1e-5;  // ONNX's default

double EpsilonOf(const ir::Node& norm) {
  const ir::Arg* epsilon = FindAttribute(norm, "epsilon");
  const auto* number = epsilon == nullptr ? nullptr : std::get_if<double>(&epsilon->v);
  return static_cast<float>(number == nullptr ? kEpsilon : *number);  // an attribute is a float32
}

bool IsOne(const ir::Node& node, std::string_view attribute) {
  const ir::Arg* value = FindAttribute(node, attribute);
  const auto* number = value == nullptr ? nullptr : std::get_if<double>(&value->v);
  return number != nullptr ? *number == 1 : IntAttribute(node, attribute, 1) == 1;
}

// The axis of the node's weight for the channels of its result; nothing if there is none.
std::optional<size_t> ChannelAxis(const ir::Node& node) {
  if (node.op == "Conv") return 0;
  if (node.op == "ConvTranspose" && IntAttribute(node, "group", 1) == 1) return 1;
  if (node.op == "Gemm" && IsOne(node, "alpha") && IsOne(node, "beta"))
    return IntAttribute(node, "transB", 0) != 0 ? 0 : 1;
  return std::nullopt;
}

class BatchNormFolder {
 public:
  explicit BatchNormFolder(ir::Graph* graph) : graph_(graph), uses_(*graph), weights_(graph) {}

  bool Run() { return Visit(&graph_->body); }

 private:
  bool Visit(ir::Block* block) {
    bool changed = false;
    // A Conv outside the block is not considered: the norm's result, perhaps an output of the block, would be made
    // outside.
    std::unordered_map<ValueId, ir::Node*> linear;  // nodes of this block that take a factor, by what they give
    std::vector<bool> folded(block->nodes.size());
    for (size_t i = 0; i < block->nodes.size(); ++i) {
      ir::Node& node = block->nodes[i];
      for (ir::Block& inner : node.blocks) changed |= Visit(&inner);
      if (ChannelAxis(node)) linear.emplace(node.outputs[0], &node);
      const auto found = IsFixedNorm(node) ? linear.find(InputAt(node, 0)) : linear.end();
      folded[i] = found != linear.end() && Fold(node, found->second);
    }
    size_t index = 0;
    return std::erase_if(block->nodes, [&](const ir::Node&) { return folded[index++]; }) > 0 || changed;
  }

  // Returns true for a norm that computes its first result from given statistics.
  static bool IsFixedNorm(const ir::Node& node) {
    return node.op == "BatchNormalization" && node.outputs.size() == 1 && IntAttribute(node, "training_mode", 0) == 0 &&
           IntAttribute(node, "spatial", 1) == 1;
  }

  // Returns true if `linear` now makes the result of `norm`.
  bool Fold(const ir::Node& norm, ir::Node* linear) {
    const ir::Weight* weight = weights_.Find(InputAt(*linear, 1));
    // A weight with a second use would be stored twice. If the result has another use, it is needed as it was before
    // the norm.
    if (weight == nullptr || uses_.Count(weight->value) != 1 || uses_.Count(linear->outputs[0]) != 1) return false;
    std::optional<WeightDatas> of = DatasOf({InputAt(*linear, 1), InputAt(norm, 1), InputAt(norm, 2), InputAt(norm, 3),
                                             InputAt(norm, 4), InputAt(*linear, 2)});
    if (!of) return false;
    const WeightDatas made = Make({.maker = &kBatchNorm,
                                   .how = {{"axis", *ChannelAxis(*linear)}, {"epsilon", EpsilonOf(norm)}},
                                   .of = *std::move(of)});
    if (made.empty()) return false;
    SetWeights(norm, made, linear);
    linear->outputs = norm.outputs;
    return true;
  }

  // Leaves out absent inputs; returns nothing if another one is no weight.
  std::optional<WeightDatas> DatasOf(std::initializer_list<ValueId> ids) const {
    WeightDatas datas;
    for (const ValueId id : ids) {
      if (id == ValueId::kNone) continue;
      const ir::Weight* weight = weights_.Find(id);
      if (weight == nullptr) return std::nullopt;
      datas.push_back(weight->data);
    }
    return datas;
  }

  // Their names say what they are made from, because they are none of these weights any more.
  void SetWeights(const ir::Node& norm, const WeightDatas& made, ir::Node* linear) {
    ir::Weight& weight = *weights_.Find(InputAt(*linear, 1));
    std::string bias_name = weights_.JoinedName({InputAt(*linear, 2), InputAt(norm, 3), InputAt(norm, 2)});
    weight.name = weights_.JoinedName({InputAt(*linear, 1), InputAt(norm, 1)});
    weight.data = made[0];
    linear->inputs.resize(2);
    linear->inputs.push_back({AddWeight(graph_, made[1], std::move(bias_name), weight.constant)});
  }

  ir::Graph* graph_;
  const UseCounts uses_;
  const WeightIndex weights_;
};

}  // namespace

bool FoldBatchNorms(ir::Graph* graph) {
  bool folded = false;
  // Repeats while one was folded: after a folded norm there may be another one.
  while (BatchNormFolder(graph).Run()) {
    RemoveDead(graph);
    folded = true;
  }
  return folded;
}

}  // namespace onnxport::passes
