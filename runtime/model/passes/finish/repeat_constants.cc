#include "runtime/model/passes/finish/repeat_constants.h"

#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/model/passes/graph/remove_dead.h"

namespace onnxport::passes {
namespace {

using ir::ValueId;
using Data = std::shared_ptr<const ir::TensorData>;

constexpr int kFirstRepeatOpset = 9;  // before, a Constant gives floats only
constexpr int64_t kMostElements = 8;

class Repeater {
 public:
  // Weights without a name come from LiftConstants. Parameters stay where users look for them.
  explicit Repeater(ir::Graph* graph) : graph_(graph) {
    for (const ir::Weight& weight : graph->weights) {
      const ir::TensorData& data = *weight.data;
      if (weight.name.empty() && data.dtype == ir::DType::kInt64 && data.shape.size() == 1 &&
          data.shape[0] <= kMostElements)
        small_.emplace(weight.value, weight.data);
    }
  }

  bool Run() {
    if (graph_->opset < kFirstRepeatOpset || small_.empty()) return false;
    for (ir::Node& node : graph_->body.nodes)
      for (ir::Block& block : node.blocks) Visit(&block);
    if (changed_) RemoveDead(graph_);
    return changed_;
  }

 private:
  void Visit(ir::Block* block) {
    std::unordered_map<ValueId, ValueId> copies;
    std::vector<ir::Node> constants;
    for (ir::Node& node : block->nodes) {
      // From the second input on: these are shapes, axes and bounds. The first is data, whose contents inference does
      // not need.
      for (size_t i = 1; i < node.inputs.size(); ++i) {
        const ValueId* id = node.inputs[i].value();
        const auto found = id == nullptr ? small_.end() : small_.find(*id);
        if (found == small_.end()) continue;
        const auto [copy, is_new] = copies.try_emplace(*id, ValueId::kNone);
        if (is_new) {
          ir::Value value = graph_->value(*id);
          value.name.clear();
          copy->second = graph_->AddValue(std::move(value));
          constants.push_back({.op = "Constant",
                               .inputs = {},
                               .attributes = {{"value", {found->second}}},
                               .outputs = {copy->second},
                               .blocks = {},
                               .location = node.location,
                               .name = ""});
        }
        node.inputs[i] = {copy->second};
      }
      for (ir::Block& inner : node.blocks) Visit(&inner);
    }
    if (constants.empty()) return;
    changed_ = true;
    block->nodes.insert(block->nodes.begin(), std::make_move_iterator(constants.begin()),
                        std::make_move_iterator(constants.end()));
  }

  ir::Graph* graph_;
  std::unordered_map<ValueId, Data> small_;
  bool changed_ = false;
};

}  // namespace

bool RepeatConstants(ir::Graph* graph) { return Repeater(graph).Run(); }

}  // namespace onnxport::passes
