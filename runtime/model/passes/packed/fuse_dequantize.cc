#include "runtime/model/passes/packed/fuse_dequantize.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/ir/packed_dtype.h"
#include "runtime/ir/read_node.h"
#include "runtime/model/passes/graph/nearest_node.h"
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

// A Gemm that takes the value transposed, and for nothing else.
bool IsTransposing(const Node& node, ValueId weight) {
  return node.op == "Gemm" && InputAt(node, 1) == weight && InputAt(node, 0) != weight && InputAt(node, 2) != weight &&
         IntAttribute(node, "transB", 0) != 0;
}

// A value that may become the result of a DequantizeLinear.
struct Candidate {
  ExpressionRef product;  // transposed for Gemm
  bool transposes = false;
  DequantizePlan plan;
};

// Valid while no node or weight is erased.
class DequantizeSearch {
 public:
  explicit DequantizeSearch(const ir::Graph& graph) : graph_(graph), expressions_(graph), uses_(graph) {
    for (size_t i = 0; i < graph.body.nodes.size(); ++i) {
      for (const ir::Arg& input : graph.body.nodes[i].inputs) {
        if (input.value() != nullptr) user_[*input.value()] = i;
      }
      for (const ValueId output : graph.body.nodes[i].outputs) made_by_[output] = i;
    }
  }

  // The values that no node turns into a larger expression.
  std::vector<ValueId> Wholes() {
    std::vector<ValueId> wholes;
    for (const Node& node : graph_.body.nodes) {
      const ExpressionRef made = node.outputs.size() == 1 ? expressions_.Find(node.outputs[0]) : nullptr;
      if (made == nullptr || made->shape.size() < 2 || CountOf(made->shape) < kLeastQuantized) continue;
      if (!uses_.IsForOneNode(node.outputs[0]) || !IsPartOfOther(node.outputs[0])) wholes.push_back(node.outputs[0]);
    }
    return wholes;
  }

  // With a plan that has a reason where it is none.
  Candidate Look(ValueId whole) {
    Candidate found = {.product = expressions_.Find(whole), .transposes = IsTransposed(whole), .plan = {}};
    if (found.transposes)
      found.product = Moved(found.product, [](ElementMap* map) { return map->Transpose({1, 0}), true; });
    // Before the elements are looked at, of which a small file can describe any number.
    const int64_t freed = BytesFreed(whole);
    const auto grows = [freed](int64_t bytes) { return bytes > freed; };
    if (!grows(ir::StoredBytes(ir::kUInt2, CountOf(found.product->shape)))) {
      found.plan = PlanDequantize(found.product, graph_.opset);
      if (!found.plan.why_not.empty() || !grows(BytesIn(found.plan.tensors))) return found;
    }
    found.plan.why_not = "the model would become larger, or something else needs what is packed";
    return found;
  }

  // Integers that became floats.
  bool IsUnpacked(ValueId whole) {
    const ExpressionRef made = expressions_.Find(whole);
    const Constants constants(*made);
    return ir::IsFloat(made->dtype) && !std::holds_alternative<Expression::Constant>(made->form) &&
           std::ranges::any_of(constants.found(), [](const ir::TensorData* data) { return !ir::IsFloat(data->dtype); });
  }

  size_t MakerOf(ValueId whole) const { return made_by_.at(whole); }

 private:
  bool IsPartOfOther(ValueId id) {
    const auto user = user_.find(id);
    if (user == user_.end()) return false;  // it is in a block
    const Node& node = graph_.body.nodes[user->second];
    return node.outputs.size() == 1 && expressions_.Find(node.outputs[0]) != nullptr;
  }

  bool IsTransposed(ValueId whole) const {
    int count = 0;
    ForEachNode(graph_.body, [&](const Node& node) { count += IsTransposing(node, whole) ? 1 : 0; });
    return count > 0 && count == uses_.Count(whole);
  }

  // The bytes of weights and constants that nobody needs without the node that makes this.
  int64_t BytesFreed(ValueId whole) const {
    int64_t freed = 0;
    std::unordered_map<ValueId, int> left;
    std::vector<size_t> gone = {made_by_.at(whole)};
    while (!gone.empty()) {
      const Node& node = graph_.body.nodes[gone.back()];
      gone.pop_back();
      for (const ir::Arg& input : node.inputs) {
        if (input.value() == nullptr) continue;
        const ValueId id = *input.value();
        if (--left.try_emplace(id, uses_.Count(id)).first->second > 0 || uses_.IsBlockOutput(id)) continue;
        const auto maker = made_by_.find(id);
        // Another result of a node with several may be needed.
        if (maker != made_by_.end() && graph_.body.nodes[maker->second].outputs.size() == 1) {
          gone.push_back(maker->second);
        }
        if (const ir::TensorData* data = expressions_.DataOf(id)) freed += BytesIn(*data);
      }
    }
    return freed;
  }

  const ir::Graph& graph_;
  ConstantExpressions expressions_;
  const UseCounts uses_;
  std::unordered_map<ValueId, size_t> user_;     // the last node of the body that has it as an input
  std::unordered_map<ValueId, size_t> made_by_;  // nodes of the body
};

class DequantizeFuser {
 public:
  explicit DequantizeFuser(ir::Graph* graph) : graph_(graph), search_(*graph) {}

  bool Run() {
    const std::vector<ValueId> wholes = search_.Wholes();
    const auto readers = FindProductsOf(wholes, *graph_);
    bool changed = false;
    for (const ValueId whole : wholes) {
      const auto found = readers.find(whole);
      if (found != readers.end() && found->second.axes) changed |= Fuse(whole);
    }
    return changed;
  }

 private:
  bool Fuse(ValueId whole) {
    const Candidate found = search_.Look(whole);
    if (!found.plan.why_not.empty()) return false;
    const Expression& product = *found.product;
    ValueId result = whole;
    if (found.transposes) {
      result = AddValueLike(graph_, {.dtype = product.dtype, .shape = product.shape, .bytes = nullptr});
      ForEachNode(graph_->body, [&](Node& node) {
        if (!IsTransposing(node, whole)) return;
        node.inputs[1] = {result};
        std::erase_if(node.attributes.vector(), [](const ir::Attribute& entry) { return entry.name == "transB"; });
      });
    }
    graph_->body.nodes[search_.MakerOf(whole)] = MakeNode(product, found.plan, result);
    return true;
  }

  // It is of no module, as in quantize_weights.cc.
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

  // The tensors that a new weight is made of.
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
  DequantizeSearch search_;
};

}  // namespace

bool FuseDequantize(ir::Graph* graph) {
  if (graph->opset < kAxisOpset || !DequantizeFuser(graph).Run()) return false;
  RemoveDead(graph);
  return true;
}

std::string WhyNoDequantize(const ir::Graph& graph) {
  DequantizeSearch search(graph);
  const std::vector<ValueId> wholes = search.Wholes();
  const auto readers = FindProductsOf(wholes, graph);
  return NearestNode(graph, [&](const Node& node) -> std::string_view {
    const bool is_whole = node.outputs.size() == 1 && std::ranges::find(wholes, node.outputs[0]) != wholes.end();
    if (!is_whole || !search.IsUnpacked(node.outputs[0])) return "";
    const auto found = readers.find(node.outputs[0]);
    if (found == readers.end() || !found->second.axes) return "no product of matrices reads it as it is";
    return search.Look(node.outputs[0]).plan.why_not;
  });
}

}  // namespace onnxport::passes
