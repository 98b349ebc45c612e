#include "runtime/model/passes/attention/join_heads.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/ir/read_node.h"
#include "runtime/model/passes/attention/head_axes.h"
#include "runtime/model/passes/graph/axis_map.h"
#include "runtime/model/passes/graph/constant_number.h"
#include "runtime/model/passes/graph/node_maker.h"
#include "runtime/model/passes/graph/rewrite.h"
#include "runtime/onnx/op_facts.h"
#include "runtime/onnx/permutation.h"

namespace onnxport::passes {
namespace {

using ir::Dim;
using ir::Dims;
using ir::InputAt;
using ir::Node;
using ir::ValueId;

const onnx_ops::Perm kHeadsAndPlaces = {0, 2, 1, 3};
constexpr int kMostViews = 4;  // of a division of heads; simplified ones are shorter

struct Found {
  size_t index;
  std::optional<size_t> guard;  // the Where behind it
};

bool IsView(const Node& node) { return node.op == "Transpose" || OnlyReshapes(node); }

class HeadJoiner {
 public:
  explicit HeadJoiner(ir::Graph* graph)
      : graph_(graph), producers_(*graph), uses_(*graph), wheres_(*graph, "Where", 1), make_(graph) {
    for (const Node& node : graph->body.nodes) {
      if (IsView(node)) views_.emplace(InputAt(node, 0), &node);
    }
  }

  bool Run() {
    std::vector<Found> all;
    for (size_t i = 0; i < graph_->body.nodes.size(); ++i) {
      if (const auto found = Find(i)) all.push_back(*found);
    }
    for (const Found& found : all) Join(found);
    make_.Insert();
    return !all.empty();
  }

 private:
  const std::optional<Dims>& DimsOf(ValueId id) const { return graph_->value(id).dims; }

  std::optional<Found> Find(size_t index) const {
    const Node& node = graph_->body.nodes[index];
    const bool has_cache = node.inputs.size() > 4 || (node.outputs.size() > 1 && node.outputs[1] != ValueId::kNone);
    if (node.op != "Attention" || has_cache || FindAttribute(node, "q_num_heads") != nullptr) return std::nullopt;
    for (size_t i = 0; i < 3; ++i) {
      if (!IsDivided(InputAt(node, i))) return std::nullopt;
    }
    const ValueId y = node.outputs[0];
    if (!HasHeads(y)) return std::nullopt;
    const std::optional<size_t> guard = GuardOf(y);
    const ValueId last = guard ? graph_->body.nodes[*guard].outputs[0] : y;
    return IsJoinedBehind(last) ? std::optional(Found{index, guard}) : std::nullopt;
  }

  bool HasHeads(ValueId x) const {
    const auto& dims = DimsOf(x);
    return dims && dims->size() == 4 && (*dims)[1].is_number() && (*dims)[3].is_number() && (*dims)[1].number() > 0 &&
           (*dims)[3].number() > 0;
  }

  static Dims Split(const Dims& dims) { return {dims[0], dims[2], dims[1], dims[3]}; }

  // How many nodes do what the map says; none are fewer than one, and three stand for more.
  static int NodesOf(const AxisMap& map) {
    if (map.IsReshape() || map.AsTranspose()) return 1;
    return map.TransposeBeforeReshape() ? 2 : 3;
  }

  bool Through(const Node& view, AxisMap* map) const {
    const auto& from = DimsOf(InputAt(view, 0));
    if (!from) return false;
    if (view.op != "Transpose") return map->ThroughReshape(*from);
    const auto perm = onnx_ops::PermOf(view, from->size());
    return perm && map->ThroughTranspose(*perm);
  }

  // Returns true if x with joined heads takes no more nodes, made of the tensor that x is a view of.
  bool IsDivided(ValueId x) const {
    if (!HasHeads(x)) return false;
    if (const Node* rotation = RotationOf(*graph_, producers_, uses_, x)) return IsDivided(InputAt(*rotation, 0));
    AxisMap map(JoinHeadAxes(*DimsOf(x)));
    if (!map.ThroughReshape(Split(*DimsOf(x))) || !map.ThroughTranspose(kHeadsAndPlaces)) return false;
    for (int views = 1; views <= kMostViews; ++views) {
      const Node* node = producers_.Of(x);
      if (node == nullptr || !IsView(*node) || !Through(*node, &map)) return false;
      if (NodesOf(map) <= views) return true;
      x = InputAt(*node, 0);
    }
    return false;
  }

  // Returns true if the results of views of y take no more nodes, made of y with joined heads.
  bool IsJoinedBehind(ValueId y) const {
    std::vector<const Node*> behind;
    for (ValueId at = y; std::ssize(behind) < kMostViews && uses_.IsForOneNode(at); at = behind.back()->outputs[0]) {
      const auto view = views_.find(at);
      if (view == views_.end() || !DimsOf(view->second->outputs[0])) return false;
      behind.push_back(view->second);
      AxisMap map(*DimsOf(behind.back()->outputs[0]));
      const bool is_known =
          std::all_of(behind.rbegin(), behind.rend(), [&](const Node* node) { return Through(*node, &map); }) &&
          map.ThroughTranspose(kHeadsAndPlaces) && map.ThroughReshape(JoinHeadAxes(*DimsOf(y)));
      if (is_known && NodesOf(map) <= std::ssize(behind)) return true;
    }
    return false;
  }

  // A Where that has a number in place of the rows of all heads that see nothing.
  std::optional<size_t> GuardOf(ValueId y) const {
    const auto guards = wheres_.Find(y);
    if (!uses_.IsForOneNode(y) || guards.empty()) return std::nullopt;
    const Node& node = graph_->body.nodes[guards.front()];
    const auto& sees = DimsOf(InputAt(node, 0));
    const auto& number = DimsOf(InputAt(node, 2));
    const bool fits = number && number->size() < 4 && sees && !sees->empty() && sees->size() <= 4 &&
                      sees->back() == Dim(1) && (sees->size() < 3 || sees->end()[-3] == Dim(1)) &&
                      ConstantNumber(*graph_, producers_, InputAt(node, 2));
    return fits ? std::optional(guards.front()) : std::nullopt;
  }

  void Join(const Found& found) {
    make_.GoTo(found.index);
    Node& node = graph_->body.nodes[found.index];
    const auto heads_of = [&](size_t input) { return (*DimsOf(InputAt(node, input)))[1].number(); };
    node.attributes.push_back({"q_num_heads", {heads_of(0)}});
    node.attributes.push_back({"kv_num_heads", {heads_of(1)}});
    for (size_t i = 0; i < 3; ++i) node.inputs[i] = {MakeJoined(*graph_, producers_, uses_, InputAt(node, i), &make_)};
    const ValueId y = node.outputs[0];
    if (!found.guard) return GiveJoined(found.index, y);
    Node& where = graph_->body.nodes[*found.guard];
    make_.GoTo(*found.guard);
    node.outputs[0] = make_.NewValue(graph_->value(y).dtype, JoinHeadAxes(*DimsOf(y)));
    where.inputs[0] = {WithoutHeads(InputAt(where, 0))};
    where.inputs[1] = {node.outputs[0]};
    GiveJoined(*found.guard, where.outputs[0]);
  }

  // The node gives joined heads, and y is made of these.
  void GiveJoined(size_t index, ValueId y) {
    const Dims dims = *DimsOf(y);
    const ir::DType dtype = graph_->value(y).dtype;
    const ValueId joined = make_.NewValue(dtype, JoinHeadAxes(dims));
    graph_->body.nodes[index].outputs[0] = joined;
    make_.GoTo(index + 1, index);
    const ValueId shape = make_.Ints({0, 0, dims[1].number(), dims[3].number()});
    Node turned = NewNode("Transpose", {make_.Make("Reshape", {joined, shape}, Split(dims))},
                          {{"perm", onnx_ops::ToArg(kHeadsAndPlaces)}});
    turned.outputs = {y};
    make_.Put(std::move(turned));
  }

  ValueId WithoutHeads(ValueId sees) {
    Dims dims = *DimsOf(sees);
    if (dims.size() < 4) return sees;
    dims.erase(dims.begin() + 1);
    return make_.Make("Squeeze", {sees, make_.Ints({1})}, std::move(dims));
  }

  ir::Graph* graph_;
  const Producers producers_;
  const UseCounts uses_;
  const UsersOf wheres_;                            // by what they show
  std::unordered_map<ValueId, const Node*> views_;  // of each value the first
  NodeMaker make_;
};

}  // namespace

bool JoinHeads(ir::Graph* graph) { return HeadJoiner(graph).Run(); }

}  // namespace onnxport::passes
