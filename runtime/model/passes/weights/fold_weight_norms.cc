#include "runtime/model/passes/weights/fold_weight_norms.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/ir/read_node.h"
#include "runtime/model/passes/graph/remove_dead.h"
#include "runtime/model/passes/graph/rewrite.h"
#include "runtime/model/passes/graph/weight_index.h"
#include "runtime/model/passes/weights/makers.h"

namespace onnxport::passes {
namespace {

using ir::ValueId;

class WeightNormFolder {
 public:
  explicit WeightNormFolder(ir::Graph* graph) : graph_(graph), uses_(*graph), producers_(*graph), weights_(graph) {}

  bool Run() {
    ForEachNode(graph_->body, [this](const ir::Node& node) {
      if (Fold(node)) folded_.insert(node.outputs[0]);
    });
    Erase(&graph_->body);
    return !folded_.empty();
  }

 private:
  // The direction has two uses, the product and its norm; the others have one. The new weight gets the product's value,
  // so the users of the product need no change.
  bool Fold(const ir::Node& product) {
    if (product.op != "Mul" || uses_.IsBlockOutput(product.outputs[0])) return false;
    ir::Weight* direction = weights_.Find(InputAt(product, 0));
    const ir::Node* quotient = OnlyUse("Div", InputAt(product, 1));
    if (direction == nullptr || quotient == nullptr || uses_.Count(direction->value) != 2) return false;
    const ir::Weight* size = weights_.Find(InputAt(*quotient, 0));
    const ir::Node* norm = OnlyUse("ReduceL2", InputAt(*quotient, 1));
    if (size == nullptr || norm == nullptr || InputAt(*norm, 0) != direction->value) return false;
    const std::optional<size_t> axis = KeptAxis(*norm, direction->data->shape);
    if (!axis) return false;
    WeightData made = MakeOne({.maker = &kWeightNorm, .how = *axis, .of = {direction->data, size->data}});
    if (made == nullptr) return false;
    std::string name = weights_.JoinedName({direction->value, size->value});
    direction->value = product.outputs[0];
    direction->name = std::move(name);
    direction->data = std::move(made);
    return true;
  }

  // Erases the products that are weights now.
  void Erase(ir::Block* block) {
    for (ir::Node& node : block->nodes)
      for (ir::Block& inner : node.blocks) Erase(&inner);
    std::erase_if(block->nodes, [this](const ir::Node& node) { return folded_.contains(node.outputs[0]); });
  }

  // The node that makes the value, if it is of this kind and the value has one use.
  const ir::Node* OnlyUse(std::string_view op, ValueId id) const {
    const ir::Node* node = producers_.Of(id);
    return node != nullptr && node->op == op && uses_.Count(id) == 1 ? node : nullptr;
  }

  // The one axis over which a node does not reduce.
  std::optional<size_t> KeptAxis(const ir::Node& norm, const std::vector<int64_t>& shape) const {
    if (IntAttribute(norm, "keepdims", 1) != 1) return std::nullopt;
    std::optional<std::vector<int64_t>> axes = IntsAttribute(norm, "axes");
    if (const ValueId input = InputAt(norm, 1); !axes && input != ValueId::kNone && graph_->value(input).contents) {
      axes.emplace();
      for (const ir::Dim& axis : *graph_->value(input).contents) {
        if (!axis.is_number()) return std::nullopt;
        axes->push_back(axis.number());
      }
    }
    if (!axes) return std::nullopt;
    std::vector<bool> reduced(shape.size());
    for (const int64_t axis : *axes) reduced[static_cast<size_t>(axis < 0 ? axis + std::ssize(shape) : axis)] = true;
    if (std::ranges::count(reduced, false) != 1) return std::nullopt;
    return static_cast<size_t>(std::ranges::find(reduced, false) - reduced.begin());
  }

  ir::Graph* graph_;
  const UseCounts uses_;
  const Producers producers_;
  const WeightIndex weights_;
  std::set<ValueId> folded_;
};

}  // namespace

bool FoldWeightNorms(ir::Graph* graph) {
  if (!WeightNormFolder(graph).Run()) return false;
  RemoveDead(graph);
  return true;
}

}  // namespace onnxport::passes
