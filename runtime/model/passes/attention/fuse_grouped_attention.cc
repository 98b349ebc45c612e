#include "runtime/model/passes/attention/fuse_grouped_attention.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "runtime/ir/read_node.h"
#include "runtime/model/passes/attention/attention_mask.h"
#include "runtime/model/passes/attention/head_axes.h"
#include "runtime/model/passes/attention/triangle.h"
#include "runtime/model/passes/graph/constant_number.h"
#include "runtime/model/passes/graph/node_maker.h"
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

// The values in a cache, and those behind it: both [batch, heads, places, features].
struct Cached {
  ValueId past;
  ValueId fresh;
  ValueId joined;
};

struct CachedAttention {
  size_t index;  // of the node that gives the result: the Attention, or the Where behind it that does nothing
  ValueId q;
  Cached k;
  Cached v;
  ValueId mask = ValueId::kNone;
  bool is_causal = false;
  std::optional<double> scale;
  double softcap = 0;
};

class GroupedAttentionFuser {
 public:
  explicit GroupedAttentionFuser(ir::Graph* graph)
      : graph_(graph), producers_(*graph), uses_(*graph), wheres_(*graph, "Where", 1), make_(graph) {}

  bool Run() {
    std::vector<CachedAttention> all;
    for (size_t i = 0; i < graph_->body.nodes.size(); ++i) {
      if (auto found = Find(i)) all.push_back(*std::move(found));
    }
    // As ReplaceUses wants them.
    std::ranges::sort(all, {}, &CachedAttention::index);
    for (const CachedAttention& found : all) Fuse(found);
    ReplaceUses(presents_, graph_);
    make_.Insert();
    return !all.empty();
  }

 private:
  const Dims& DimsOf(ValueId id) const { return *graph_->value(id).dims; }
  bool IsOf(ValueId id, size_t rank) const {
    return id != ValueId::kNone && graph_->value(id).dtype == DType::kFloat32 && graph_->value(id).dims &&
           DimsOf(id).size() == rank;
  }

  std::optional<CachedAttention> Find(size_t index) const {
    const Node& node = graph_->body.nodes[index];
    if (node.op != "Attention" || node.outputs.size() != 1 || node.inputs.size() > 4 ||
        IntAttribute(node, "is_causal", 0) != 0 || FindAttribute(node, "q_num_heads") != nullptr)
      return std::nullopt;
    const auto k = CachedOf(InputAt(node, 1));
    const auto v = CachedOf(InputAt(node, 2));
    if (!k || !v || !IsOf(InputAt(node, 0), 4)) return std::nullopt;
    CachedAttention found = {index,
                             InputAt(node, 0),
                             *k,
                             *v,
                             InputAt(node, 3),
                             false,
                             FloatAttribute(node, "scale"),
                             FloatAttribute(node, "softcap").value_or(0)};
    return Fits(found) && TakesMask(&found) ? std::optional(found) : std::nullopt;
  }

  static std::optional<double> FloatAttribute(const Node& node, const char* name) {
    const ir::Arg* value = FindAttribute(node, name);
    const double* number = value == nullptr ? nullptr : std::get_if<double>(&value->v);
    return number == nullptr ? std::nullopt : std::optional(*number);
  }

  std::optional<Cached> CachedOf(ValueId id) const {
    const Node* node = id == ValueId::kNone ? nullptr : producers_.Of(id);
    if (node == nullptr || node->op != "Concat" || node->inputs.size() != 2 || !IsOf(id, 4)) return std::nullopt;
    const int64_t axis = IntAttribute(*node, "axis", 0);
    if ((axis != 2 && axis != -2) || !IsOf(InputAt(*node, 0), 4) || !IsOf(InputAt(*node, 1), 4)) return std::nullopt;
    return Cached{InputAt(*node, 0), InputAt(*node, 1), id};
  }

  bool Fits(const CachedAttention& found) const {
    const Dims& q = DimsOf(found.q);
    const Dims& k = DimsOf(found.k.fresh);
    const Dims& past = DimsOf(found.k.past);
    const bool numbers = q[1].is_number() && k[1].is_number() && q[3].is_number() && k[1].number() > 0;
    return numbers && q[1].number() % k[1].number() == 0 && q[3].number() % 8 == 0 && DimsOf(found.v.fresh) == k &&
           DimsOf(found.v.past) == past && k == Dims{q[0], k[1], q[2], q[3]} &&
           past == Dims{q[0], k[1], past[2], q[3]} && (q[0] == Dim(1) || q[2] == Dim(1));
  }

  // The operator hides later places by itself. For a row that a mask hides altogether it gives NaN, and Attention gives
  // 0. So such a mask is taken only where a Where puts something else there, or where it has finite numbers.
  bool TakesMask(CachedAttention* found) const {
    if (found->mask == ValueId::kNone) return true;
    const Dims& q = DimsOf(found->q);
    const Dim& past = DimsOf(found->k.past)[2];
    const std::optional<size_t> guard = GuardOf(graph_->body.nodes[found->index].outputs[0], found->mask);
    const std::optional<Triangle> triangle = FindTriangle(*graph_, producers_, found->mask);
    if (triangle && triangle->diagonal == past && Shows(triangle->inside) && Hides(triangle->outside) &&
        IsWhole(found->mask, q[2], past + q[2])) {
      found->is_causal = true;
      found->mask = ValueId::kNone;
      if (guard) found->index = *guard;  // each row sees its own place
      return true;
    }
    const std::optional<Dims>& mask = graph_->value(found->mask).dims;
    return mask && mask->size() >= 2 && mask->size() <= 4 && IsWhole(found->mask, q[2], past + q[2]) &&
           (guard || IsFinite(found->mask));
  }

  bool IsWhole(ValueId mask, const Dim& rows, const Dim& columns) const {
    const std::optional<Dims>& dims = graph_->value(mask).dims;
    return dims && dims->size() >= 2 && dims->end()[-2] == rows && dims->back() == columns;
  }

  static bool Shows(const onnx_ops::KnownTensor& element) {
    return element.dtype == DType::kBool ? element.elements[0] != 0 : onnx_ops::ToFloat(element.elements[0]) == 0;
  }
  static bool Hides(const onnx_ops::KnownTensor& element) {
    return element.dtype == DType::kBool ? element.elements[0] == 0
                                         : onnx_ops::ToFloat(element.elements[0]) <= kHidingScore;
  }

  bool IsFinite(ValueId mask) const {
    const Node* node = producers_.Of(mask);
    if (node == nullptr || node->op != "Where") return false;
    const auto shown = ConstantNumber(*graph_, producers_, InputAt(*node, 1));
    const auto hidden = ConstantNumber(*graph_, producers_, InputAt(*node, 2));
    return shown && hidden && std::isfinite(*shown) && std::isfinite(*hidden);
  }

  // The Where that is the only one to use the value, and has another number in place of the rows that `mask` hides
  // altogether.
  std::optional<size_t> GuardOf(ValueId id, ValueId mask) const {
    if (!uses_.IsForOneNode(id)) return std::nullopt;
    const std::span<const size_t> guards = wheres_.Find(id);
    if (guards.empty()) return std::nullopt;
    const Node& node = graph_->body.nodes[guards.front()];
    const bool is_guard =
        SeesAny(InputAt(node, 0), mask) && ConstantNumber(*graph_, producers_, InputAt(node, 2)).has_value();
    return is_guard ? std::optional(guards.front()) : std::nullopt;
  }

  // Returns true if the condition holds for exactly the rows of the mask that see something, as MakeSeesAny computes
  // it.
  bool SeesAny(ValueId condition, ValueId mask) const {
    const Node* largest = producers_.Of(Uncast(condition));
    if (largest == nullptr || largest->op != "ReduceMax" || IntAttribute(*largest, "keepdims", 1) == 0) return false;
    const auto axes = ConstantElements(producers_, InputAt(*largest, 1));
    if (!axes || axes->elements.size() != 1 || axes->elements[0] != -1) return false;
    const ValueId seen = Uncast(InputAt(*largest, 0));
    if (seen == mask) return graph_->value(mask).dtype == DType::kBool;
    const Node* compared = producers_.Of(seen);
    if (compared == nullptr || compared->op != "Greater" || InputAt(*compared, 0) != mask) return false;
    const auto least = ConstantNumber(*graph_, producers_, InputAt(*compared, 1));
    return least && *least == -std::numeric_limits<double>::infinity();
  }

  ValueId Uncast(ValueId id) const {
    const Node* node = producers_.Of(id);
    return node != nullptr && node->op == "Cast" ? InputAt(*node, 0) : id;
  }

  void Fuse(const CachedAttention& found) {
    make_.GoTo(found.index);
    const Dims& q = DimsOf(found.q);
    const int64_t heads = q[1].number();
    const int64_t features = q[3].number();
    Node node;
    node.op = "com.microsoft.GroupQueryAttention";
    const ValueId queries = Joined(found.q);
    const auto [last, total] = LengthsOf(found, queries);
    for (const ValueId id :
         {queries, Joined(found.k.fresh), Joined(found.v.fresh), found.k.past, found.v.past, last, total})
      node.inputs.push_back({id});
    if (found.mask != ValueId::kNone) {
      node.inputs.resize(10);  // without tables of angles and positions
      node.inputs.push_back({AddedMask(found)});
    }
    node.attributes = {{"num_heads", {heads}}, {"kv_num_heads", {DimsOf(found.k.fresh)[1].number()}}};
    if (!found.is_causal) node.attributes.push_back({"causal", {int64_t{0}}});
    if (found.scale) node.attributes.push_back({"scale", {*found.scale}});
    if (found.softcap > 0) node.attributes.push_back({"softcap", {found.softcap}});
    const ValueId y = make_.NewValue(DType::kFloat32, Dims{q[0], q[2], Dim(heads * features)});
    node.outputs = {y, Present(found.k, found.index), Present(found.v, found.index)};
    make_.Put(std::move(node));
    const ValueId split = make_.Make("Reshape", {y, make_.Ints({0, 0, heads, features})}, Dims{q[0], q[2], q[1], q[3]});
    Node& end = graph_->body.nodes[found.index];
    end.op = "Transpose";
    end.inputs = {{split}};
    end.attributes = {{"perm", onnx_ops::ToArg({0, 2, 1, 3})}};
  }

  ValueId Present(const Cached& cached, size_t index) {
    const ValueId id = make_.NewValue(DType::kFloat32, DimsOf(cached.joined));
    presents_.push_back({index, cached.joined, id});
    return id;
  }

  ValueId Joined(ValueId x) { return MakeJoined(*graph_, producers_, uses_, x, &make_); }

  // int32 [batch], the place of the last key of each sequence; int32 [], how many there are. All layers share them.
  std::pair<ValueId, ValueId> LengthsOf(const CachedAttention& found, ValueId queries) {
    const Dims& q = DimsOf(found.q);
    const Dim& past = DimsOf(found.k.past)[2];
    for (const auto& [batch, total, made] : lengths_) {
      if (batch == q[0] && total == past + q[2]) return made;
    }
    const ValueId sum =
        make_.Cast(make_.Make("Add", {make_.Size(found.k.past, 2), make_.Size(queries, 1)}, Dims{1}), DType::kInt32);
    const ValueId total = make_.Make("Squeeze", {sum, make_.Ints({0})}, Dims{});
    ValueId last = make_.Make("Sub", {sum, make_.Cast(make_.Ints({1}), DType::kInt32)}, Dims{1});
    if (!(q[0] == Dim(1))) last = make_.Make("Expand", {last, make_.Shape({q[0]}, queries, {0})}, Dims{q[0]});
    lengths_.push_back({q[0], past + q[2], {last, total}});
    return {last, total};
  }

  // float32, [1 or batch, 1 or heads, queries, keys]
  ValueId AddedMask(const CachedAttention& found) {
    ValueId id = found.mask;
    Dims dims = DimsOf(id);
    if (graph_->value(id).dtype == DType::kBool) {
      const ValueId hidden = make_.Float(-std::numeric_limits<double>::infinity());
      id = make_.Make("Where", {id, make_.Float(0), hidden}, DType::kFloat32, dims);
    }
    if (dims.size() == 4) return id;
    std::vector<int64_t> axes;
    for (int64_t axis = 0; dims.size() < 4; ++axis) {
      axes.push_back(axis);
      dims.insert(dims.begin(), Dim(1));
    }
    return make_.Make("Unsqueeze", {id, make_.Ints(axes)}, dims);
  }

  struct Lengths {
    Dim batch;
    Dim total;
    std::pair<ValueId, ValueId> values;
  };

  ir::Graph* graph_;
  const Producers producers_;
  const UseCounts uses_;
  const UsersOf wheres_;  // by what they show
  NodeMaker make_;
  std::vector<ReplacedUse> presents_;  // caches with what is new behind it
  std::vector<Lengths> lengths_;
};

}  // namespace

bool FuseGroupedAttention(ir::Graph* graph) { return GroupedAttentionFuser(graph).Run(); }

}  // namespace onnxport::passes
