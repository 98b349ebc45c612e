#include "runtime/model/passes/attention/fuse_attention.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/ir/read_node.h"
#include "runtime/model/passes/attention/attention_mask.h"
#include "runtime/model/passes/attention/spelled_attention.h"
#include "runtime/model/passes/attention/split_einsums.h"
#include "runtime/model/passes/graph/nearest_node.h"
#include "runtime/model/passes/graph/node_maker.h"
#include "runtime/model/passes/graph/reshape_shape.h"
#include "runtime/model/passes/graph/rewrite.h"
#include "runtime/onnx/permutation.h"

namespace onnxport::passes {
namespace {

using ir::Dim;
using ir::Dims;
using ir::DType;
using ir::InputAt;
using ir::Node;
using ir::ValueId;

constexpr int kAttentionOpset = 23;
constexpr int64_t kWeightsMode = 3;  // of `qk_matmul_output`: what the softmax gives

struct FoundAttention {
  size_t index;  // of the node in front of which it is made
  size_t root;   // of the node whose result it gives
  SpelledAttention attention;
  MaskPlan mask;
  bool is_operator = false;  // already: only `k` and `v` are of use
};

// Before any node is made: what knows the nodes knows them as they are.
class AttentionSearch {
 public:
  AttentionSearch(const ir::Graph& graph, const Producers& producers)
      : graph_(graph), producers_(producers), uses_(graph) {}

  std::vector<FoundAttention> FindAll() const {
    std::vector<FoundAttention> all;
    for (size_t i = 0; i < graph_.body.nodes.size(); ++i) {
      const Node& node = graph_.body.nodes[i];
      if (auto shared = FindShared(node)) all.push_back({i, i, *std::move(shared), {}, true});
      auto attention = FindAttention(graph_, producers_, uses_, node);
      if (!attention) continue;
      const MaskPlan mask = PlanMask(graph_, producers_, attention->mask, attention->scores);
      const std::optional<size_t> place = PlaceOf(*attention, i);
      // If two products have the same weights, one of them gives these to the other.
      const bool is_given = std::ranges::any_of(all, [&](const FoundAttention& other) {
        return other.attention.weights != ValueId::kNone && other.attention.weights == attention->weights;
      });
      if (mask.why_not.empty() && place && !is_given) all.push_back({*place, i, *std::move(attention), mask});
    }
    return all;
  }

  // The reason for a product of a softmax that did not become an operator.
  std::string_view WhyNot(const Node& root) const {
    const auto attention = FindAttention(graph_, producers_, uses_, root);
    if (!attention) return WhyNoAttention(graph_, producers_, uses_, root);
    const MaskPlan mask = PlanMask(graph_, producers_, attention->mask, attention->scores);
    if (!mask.why_not.empty()) return mask.why_not;
    return PlaceOf(*attention, IndexOf(&root)) ? ""
                                               : "its weights are used elsewhere, where the operator cannot give them";
  }

  size_t IndexOf(const Node* node) const { return static_cast<size_t>(node - graph_.body.nodes.data()); }

 private:
  // Behind all that it takes, and in front of who uses its weights. Returns nothing where the values are made of the
  // weights, or the number of keys is free. ONNX's inference takes that size of `qk_matmul_output` for 0 then, and ONNX
  // Runtime 1.32 computes with that size.
  std::optional<size_t> PlaceOf(const SpelledAttention& attention, size_t root) const {
    if (attention.weights == ValueId::kNone) return root;
    if (!attention.k.dims.end()[-2].is_number()) return std::nullopt;
    const Node* values = producers_.Of(attention.v.from);
    const size_t softmax = IndexOf(producers_.Of(attention.weights));
    if (attention.v.from == attention.weights) return std::nullopt;
    const size_t place = values == nullptr ? softmax : std::max(softmax, IndexOf(values) + 1);
    for (size_t i = softmax; i < place; ++i) {
      bool uses = false;
      ForEachUse(graph_.body.nodes[i], [&](ValueId id) { uses |= id == attention.weights; });
      if (uses) return std::nullopt;
    }
    return place;
  }

  // An Attention whose keys and values are repeated for it.
  std::optional<SpelledAttention> FindShared(const Node& node) const {
    if (node.op != "Attention" || node.inputs.size() > 4 || node.outputs.size() != 1 ||
        FindAttribute(node, "kv_num_heads") != nullptr)
      return std::nullopt;
    SpelledAttention shared;
    shared.k = FindHeads(graph_, producers_, uses_, InputAt(node, 1));
    shared.v = FindHeads(graph_, producers_, uses_, InputAt(node, 2));
    const bool fits = shared.k.repeats && shared.v.repeats && shared.k.dims[1] == shared.v.dims[1];
    return fits ? std::optional(shared) : std::nullopt;
  }

  const ir::Graph& graph_;
  const Producers& producers_;
  const UseCounts uses_;
};

class AttentionFuser {
 public:
  explicit AttentionFuser(ir::Graph* graph) : graph_(graph), producers_(*graph), make_(graph) {}

  bool Run() {
    const std::vector<FoundAttention> all = AttentionSearch(*graph_, producers_).FindAll();
    for (const FoundAttention& found : all) Fuse(found);
    make_.Insert();
    return !all.empty();
  }

 private:
  void Fuse(const FoundAttention& found) {
    const SpelledAttention& attention = found.attention;
    make_.GoTo(found.index, found.root);
    if (found.is_operator) {
      Node& node = graph_->body.nodes[found.root];
      node.inputs[1] = {HeadsOf(attention.k, attention)};
      node.inputs[2] = {HeadsOf(attention.v, attention)};
      return;
    }
    std::vector<ValueId> inputs = {Divided(attention.q, attention), HeadsOf(attention.k, attention),
                                   HeadsOf(attention.v, attention)};
    if (attention.mask.kind != AttentionMask::Kind::kNone && !found.mask.is_causal) {
      const ValueId mask = MakeMask(*graph_, attention.mask, found.mask, attention.scores, attention.q, &make_);
      // With an axis of size 1 in front it is broadcast as it is.
      const Dims& dims = *graph_->value(mask).dims;
      inputs.push_back(dims.size() == 3 && !(dims[0] == Dim(1)) ? Divided(mask, attention) : mask);
    }
    std::vector<ir::Attribute> attributes = {{"scale", {attention.scale}}};
    if (found.mask.is_causal) attributes.push_back({"is_causal", {int64_t{1}}});
    if (attention.softcap > 0) attributes.push_back({"softcap", {attention.softcap}});
    Node node = NewNode("Attention", inputs);
    const ValueId sees = found.mask.may_hide_row ? MakeSeesAny(*graph_, inputs[3], &make_) : ValueId::kNone;
    std::vector<Result> results = {ResultFor(found.root, attention, sees)};
    if (attention.weights != ValueId::kNone) {
      attributes.push_back({"qk_matmul_output_mode", {kWeightsMode}});
      const Node* softmax = producers_.Of(attention.weights);
      results.push_back(ResultFor(static_cast<size_t>(softmax - graph_->body.nodes.data()), attention, sees));
    }
    node.attributes = std::move(attributes);
    node.outputs = {results[0].of_operator};
    if (results.size() > 1)
      node.outputs = {results[0].of_operator, ValueId::kNone, ValueId::kNone, results[1].of_operator};
    make_.Put(std::move(node));
    for (const Result& result : results) Finish(result, sees, attention.q);
  }

  // A value of the program, and the one of the operator that it is made of, with four axes.
  struct Result {
    ValueId of_program;
    ValueId of_operator;
  };

  // The node that gave it is left with a result that nobody uses.
  Result ResultFor(size_t index, const SpelledAttention& attention, ValueId sees) {
    ValueId& given = graph_->body.nodes[index].outputs[0];
    const Dims dims = *graph_->value(given).dims;
    const ValueId of_program = std::exchange(given, make_.NewValue(DType::kFloat32, dims));
    if (dims.size() == 4 && sees == ValueId::kNone) return {of_program, of_program};
    return {of_program,
            make_.NewValue(DType::kFloat32, Dims{attention.batch, attention.heads, dims.end()[-2], dims.back()})};
  }

  void Finish(const Result& result, ValueId sees, ValueId q) {
    if (result.of_operator == result.of_program) return;
    ValueId four = result.of_operator;
    const Dims divided = *graph_->value(four).dims;
    const Dims dims = *graph_->value(result.of_program).dims;
    if (sees != ValueId::kNone) {
      Node guard = NewNode("Where", {sees, four, make_.Float(std::numeric_limits<double>::quiet_NaN())});
      if (dims.size() != 3) return Put(std::move(guard), result.of_program);
      four = make_.Make(std::move(guard), DType::kFloat32, divided);
    }
    const auto shape = ReshapeShape(divided, dims, graph_->ranges);
    Put(NewNode("Reshape", {four, shape ? make_.Ints(*shape) : JoinedShape(four, dims, q)}), result.of_program);
  }

  void Put(Node node, ValueId result) {
    node.outputs = {result};
    make_.Put(std::move(node));
  }

  // The shape that turns [batch, heads, queries, b] into [batch * heads, queries, b]. Queries of three axes have the
  // first two sizes, and b is a number then.
  ValueId JoinedShape(ValueId four, const Dims& dims, ValueId q) {
    if (graph_->value(q).dims->size() == 3) return make_.Shape(dims, q, {0, 1, 2});
    std::vector<ValueId> parts = {make_.Make("Mul", {make_.Size(four, 0), make_.Size(four, 1)}, Dims{1})};
    for (int64_t axis = 1; axis < 3; ++axis) {
      const Dim& size = dims[static_cast<size_t>(axis)];
      parts.push_back(size.is_number() ? make_.Ints({size.number()}) : make_.Size(four, axis + 1));
    }
    return make_.Make("Concat", parts, DType::kInt64, Dims{3}, {{"axis", {int64_t{0}}}});
  }

  ValueId HeadsOf(const AttentionHeads& heads, const SpelledAttention& attention) {
    if (heads.perm.size() == 3) return Divided(heads.from, heads.perm, attention);
    ValueId id = heads.from;
    if (heads.repeats) {
      Dims dims = *graph_->value(id).dims;
      const int64_t further = heads.perm[1] + 1;
      dims.erase(dims.begin() + further);
      id = make_.Make("Squeeze", {id, make_.Ints({further})}, dims);
    }
    return make_.Transposed(id, heads.perm);
  }

  // Divides the first axis of three, with batch and heads in it, into two; other values stay.
  ValueId Divided(ValueId id, const SpelledAttention& attention) {
    if (graph_->value(id).dims->size() != 3) return id;
    const Node* node = producers_.Of(id);
    const auto perm = node == nullptr ? std::nullopt : onnx_ops::PermOf(*node, 3);
    return perm ? Divided(InputAt(*node, 0), *perm, attention) : Divided(id, {0, 1, 2}, attention);
  }

  // The axis is divided in front of the order of axes, where the program may have joined it.
  ValueId Divided(ValueId from, const onnx_ops::Perm& perm, const SpelledAttention& attention) {
    const Dims joined = *graph_->value(from).dims;
    const auto axis = perm[0];
    Dims divided = joined;
    divided[static_cast<size_t>(axis)] = attention.batch;
    divided.insert(divided.begin() + axis + 1, attention.heads);
    const auto shape = ReshapeShape(joined, divided, graph_->ranges);
    const ValueId to = shape ? make_.Ints(*shape) : DividedShape(from, axis, divided);
    onnx_ops::Perm order = {axis, axis + 1};
    for (const int64_t other : {perm[1], perm[2]}) order.push_back(other < axis ? other : other + 1);
    return make_.Transposed(make_.Make("Reshape", {from, to}, divided), order);
  }

  // Where a size may be 0, nothing can be left to the Reshape.
  ValueId DividedShape(ValueId from, int64_t axis, const Dims& divided) {
    const ValueId heads = make_.Ints({divided[static_cast<size_t>(axis) + 1].number()});
    std::vector<ValueId> parts;
    for (int64_t i = 0; i < 3; ++i) {
      const ValueId size = make_.Size(from, i);
      parts.push_back(i == axis ? make_.Make("Div", {size, heads}, Dims{1}) : size);
      if (i == axis) parts.push_back(heads);
    }
    return make_.Make("Concat", parts, DType::kInt64, Dims{4}, {{"axis", {int64_t{0}}}});
  }

  ir::Graph* graph_;
  const Producers producers_;  // of the nodes that were there: none of them moves until all are made
  NodeMaker make_;
};

}  // namespace

bool FuseAttention(ir::Graph* graph) {
  if (graph->opset < kAttentionOpset) return false;
  const bool changed = SplitEinsums(graph);
  return AttentionFuser(graph).Run() || changed;
}

std::string WhyNoAttention(const ir::Graph& graph) {
  if (graph.opset < kAttentionOpset) return "";
  const Producers producers(graph);
  const AttentionSearch search(graph, producers);
  return NearestNode(graph, [&](const Node& node) { return search.WhyNot(node); }, " of a Softmax");
}

}  // namespace onnxport::passes
