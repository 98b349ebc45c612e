#include "runtime/model/passes/packed/fuse_dequantize.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/ir/packed_dtype.h"
#include "runtime/ir/read_node.h"
#include "runtime/model/passes/graph/new_weight.h"
#include "runtime/model/passes/graph/product_weights.h"
#include "runtime/model/passes/graph/remove_dead.h"
#include "runtime/model/passes/graph/rewrite.h"
#include "runtime/model/passes/graph/tensor_size.h"
#include "runtime/model/passes/packed/constant_expression.h"
#include "runtime/model/passes/packed/dequantize_plan.h"
#include "runtime/model/passes/packed/expression.h"
#include "runtime/model/passes/quantize/quantize_weights.h"
#include "runtime/model/passes/weights/recipe.h"

namespace onnxport::passes {
namespace {

using ir::Node;
using ir::ValueId;

// The tensors that an expression is made of, in its order.
class Constants {
 public:
  explicit Constants(const Expression& whole) { Visit(whole); }
  const std::vector<const ir::TensorData*>& found() const { return found_; }

 private:
  void Visit(const Expression& whole) {
    if (!seen_.insert(&whole).second) return;  // parts are shared
    if (const auto* constant = std::get_if<Expression::Constant>(&whole.form)) {
      if (std::ranges::find(found_, constant->data.get()) == found_.end()) found_.push_back(constant->data.get());
    }
    for (const ExpressionRef& operand : OperandsOf(whole)) Visit(*operand);
  }

  std::set<const Expression*> seen_;
  std::vector<const ir::TensorData*> found_;
};

class DequantizeFuser {
 public:
  explicit DequantizeFuser(ir::Graph* graph) : graph_(graph), expressions_(*graph), uses_(*graph) {
    for (size_t i = 0; i < graph->body.nodes.size(); ++i) {
      for (const ir::Arg& input : graph->body.nodes[i].inputs) {
        if (input.value() != nullptr) user_[*input.value()] = i;
      }
      for (const ValueId output : graph->body.nodes[i].outputs) made_by_[output] = i;
    }
  }

  bool Run() {
    const std::vector<ValueId> wholes = Wholes();
    const auto readers = FindProductsOf(wholes, *graph_);
    bool changed = false;
    for (const ValueId whole : wholes) {
      const auto found = readers.find(whole);
      if (found != readers.end() && found->second.axes) changed |= Fuse(whole);
    }
    return changed;
  }

 private:
  // The values that are not part of a larger expression.
  std::vector<ValueId> Wholes() {
    std::vector<ValueId> wholes;
    for (const Node& node : graph_->body.nodes) {
      const ExpressionRef made = node.outputs.size() == 1 ? expressions_.Find(node.outputs[0]) : nullptr;
      if (made == nullptr || made->shape.size() < 2 || CountOf(made->shape) < kLeastQuantized) continue;
      if (!uses_.IsForOneNode(node.outputs[0]) || !IsPartOfOther(node.outputs[0])) wholes.push_back(node.outputs[0]);
    }
    return wholes;
  }
  bool IsPartOfOther(ValueId id) {
    const auto user = user_.find(id);
    if (user == user_.end()) return false;  // it is in a block
    const Node& node = graph_->body.nodes[user->second];
    return node.outputs.size() == 1 && expressions_.Find(node.outputs[0]) != nullptr;
  }

  bool Fuse(ValueId whole) {
    ExpressionRef product = expressions_.Find(whole);
    const std::vector<Node*> transposing = TransposingReaders(whole);
    if (!transposing.empty()) product = Moved(product, [](ElementMap* map) { return map->Transpose({1, 0}), true; });
    // Before the elements are read, because a small file can describe any number of them.
    const int64_t freed = BytesFreed(whole);
    if (ir::StoredBytes(ir::kUInt2, CountOf(product->shape)) > freed) return false;
    const auto plan = PlanDequantize(product, graph_->opset);
    if (!plan || BytesIn(plan->tensors) > freed) return false;
    ValueId result = whole;
    if (!transposing.empty()) {
      result = AddValueLike(graph_, {.dtype = product->dtype, .shape = product->shape, .bytes = nullptr});
      for (Node* gemm : transposing) {
        gemm->inputs[1] = {result};
        std::erase_if(gemm->attributes.vector(), [](const ir::Attribute& entry) { return entry.name == "transB"; });
      }
    }
    graph_->body.nodes[made_by_.at(whole)] = MakeNode(*product, *plan, result);
    return true;
  }

  // Empty unless all readers transpose it.
  std::vector<Node*> TransposingReaders(ValueId whole) {
    std::vector<Node*> readers;
    ForEachNode(graph_->body, [&](Node& node) {
      if (node.op == "Gemm" && InputAt(node, 1) == whole && InputAt(node, 0) != whole && InputAt(node, 2) != whole &&
          IntAttribute(node, "transB", 0) != 0)
        readers.push_back(&node);
    });
    if (std::ssize(readers) != uses_.Count(whole)) readers.clear();
    return readers;
  }

  // The bytes of weights and constants that are not needed without the node that makes this.
  int64_t BytesFreed(ValueId whole) const {
    int64_t freed = 0;
    std::unordered_map<ValueId, int> left;
    std::vector<size_t> gone = {made_by_.at(whole)};
    while (!gone.empty()) {
      const Node& node = graph_->body.nodes[gone.back()];
      gone.pop_back();
      for (const ir::Arg& input : node.inputs) {
        if (input.value() == nullptr) continue;
        const ValueId id = *input.value();
        if (--left.try_emplace(id, uses_.Count(id)).first->second > 0 || uses_.IsBlockOutput(id)) continue;
        const auto maker = made_by_.find(id);
        // If the node has several results, another one may be needed.
        if (maker != made_by_.end() && graph_->body.nodes[maker->second].outputs.size() == 1) {
          gone.push_back(maker->second);
        }
        if (const ir::TensorData* data = expressions_.DataOf(id)) freed += BytesIn(*data);
      }
    }
    return freed;
  }

  // It belongs to no module, as in quantize_weights.cc.
  Node MakeNode(const Expression& product, const DequantizePlan& plan, ValueId result) {
    const auto& operands = std::get<Expression::Computed>(product.form).operands;
    const bool scales_first = std::holds_alternative<Expression::Constant>(operands[0]->form);
    const Source elements = SourceOf(*operands[scales_first ? 1 : 0]);
    const Source scales = SourceOf(*operands[scales_first ? 0 : 1]);
    const std::string suffix = "." + std::string(ir::Name(plan.tensors.elements->dtype));
    Node node;
    node.op = "DequantizeLinear";
    node.inputs = {{AddFrom(elements, plan.tensors.elements, suffix)},
                   {AddFrom(scales, plan.tensors.scales, suffix + "_scale")}};
    if (plan.tensors.zero_points)
      node.inputs.push_back({AddFrom(elements, plan.tensors.zero_points, suffix + "_zero")});
    if (plan.axis) node.attributes.push_back({"axis", {static_cast<int64_t>(*plan.axis)}});
    if (plan.block) node.attributes.push_back({"block_size", {*plan.block}});
    node.outputs = {result};
    return node;
  }

  // The tensors from which a new weight is made.
  struct Source {
    std::vector<std::string> names;
    WeightDatas of;
    bool constant = true;
  };
  Source SourceOf(const Expression& whole) const {
    const Constants constants(whole);
    Source source;
    for (const ir::TensorData* data : constants.found()) {
      const auto weight = std::ranges::find(graph_->weights, data, [](const auto& entry) { return entry.data.get(); });
      if (weight == graph_->weights.end()) continue;
      source.of.push_back(weight->data);
      if (weight->name.empty() || weight->constant) continue;
      source.names.push_back(weight->name);
      source.constant = false;
    }
    return source;
  }

  ValueId AddFrom(const Source& source, std::shared_ptr<const ir::TensorData> data, const std::string& suffix) {
    std::string name = source.names.empty() ? "" : fmt::format("{}{}", fmt::join(source.names, "+"), suffix);
    return AddWeight(graph_, MadeUnstated(std::move(data), source.of), std::move(name), source.constant);
  }

  ir::Graph* graph_;
  ConstantExpressions expressions_;
  const UseCounts uses_;
  std::unordered_map<ValueId, size_t> user_;     // the last node of the body that has it as an input
  std::unordered_map<ValueId, size_t> made_by_;  // nodes of the body
};

}  // namespace

bool FuseDequantize(ir::Graph* graph) {
  if (graph->opset < kAxisOpset || !DequantizeFuser(graph).Run()) return false;
  RemoveDead(graph);
  return true;
}

}  // namespace onnxport::passes
