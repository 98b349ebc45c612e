#include "runtime/model/passes/attention/rotation_pattern.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "runtime/ir/read_node.h"
#include "runtime/onnx/node_view.h"
#include "runtime/onnx/op_facts.h"

namespace onnxport::passes {
namespace {

using ir::InputAt;
using ir::Node;
using ir::ValueId;

constexpr int kDeepest = 16;  // between an angle and where it is used are a handful of nodes

// One half of the features of x.
struct Half {
  ValueId x;
  bool second;
  bool interleaved;  // those with even or odd numbers
};

// Two halves that are one axis again.
struct Pair {
  ValueId a;
  ValueId b;
  bool interleaved;
};

class RotationFinder {
 public:
  RotationFinder(const ir::Graph& graph, const Producers& producers) : graph_(graph), producers_(producers) {}

  std::optional<Rotation> Find(const Node& root) const {
    return root.op == "Add" ? MatchWhole(root) : MatchHalves(root);
  }

  std::string_view WhyNot(const Node& root) const {
    if (Find(root)) return "";
    return root.op == "Add" || root.op == "Sub" ? WhyNotWhole(root) : WhyNotHalves(root);
  }

 private:
  using Operands = std::pair<ValueId, ValueId>;

  static constexpr std::string_view kTurnsBack = "it turns pairs the other way";

  // A sum of products, one of them with halves that were put together again, one of them negated.
  std::string_view WhyNotWhole(const Node& root) const {
    for (const size_t turned : {0, 1}) {
      const auto straight = MatchBinary("Mul", InputAt(root, 1 - turned));
      const auto product = MatchBinary("Mul", InputAt(root, turned));
      if (!straight || !product) continue;
      for (const ValueId part : {product->first, product->second}) {
        const auto pair = PairOf(part);
        if (!pair || IsNegated(pair->a) == IsNegated(pair->b)) continue;
        if (root.op == "Sub" || IsNegated(pair->b)) return kTurnsBack;
        const auto half = TurnedOf(part);
        if (!half) return "what is turned are not the two halves of one value, in its order";
        if (straight->first != half->x && straight->second != half->x)
          return "the halves that are turned are not those of the value beside them";
        return "the two angles of a pair are not known to be equal";
      }
    }
    return "";
  }

  // A difference and a sum of two products each, put together.
  std::string_view WhyNotHalves(const Node& root) const {
    const auto pair = root.outputs.size() == 1 ? PairOf(root.outputs[0]) : std::nullopt;
    if (!pair) return "";
    if (IsOfProducts("Add", pair->a) && IsOfProducts("Sub", pair->b)) return kTurnsBack;
    return IsOfProducts("Sub", pair->a) && IsOfProducts("Add", pair->b)
               ? "it is not made of the two halves of one value, in its order, and the same two angles"
               : "";
  }

  bool IsNegated(ValueId id) const {
    const Node* node = producers_.Of(id);
    return node != nullptr && node->op == "Neg";
  }

  bool IsOfProducts(std::string_view op, ValueId id) const {
    const auto terms = MatchBinary(op, id);
    return terms && MatchBinary("Mul", terms->first) && MatchBinary("Mul", terms->second);
  }

  // The inputs of the node with two of them that makes the value.
  std::optional<Operands> MatchBinary(std::string_view op, ValueId id) const {
    const Node* node = producers_.Of(id);
    if (node == nullptr || node->op != op || node->inputs.size() != 2) return std::nullopt;
    return Operands{InputAt(*node, 0), InputAt(*node, 1)};
  }

  // [a * cos - b * sin, b * cos + a * sin]
  std::optional<Rotation> MatchHalves(const Node& root) const {
    const auto pair = PairOf(root.outputs[0]);
    const auto difference = pair ? MatchBinary("Sub", pair->a) : std::nullopt;
    const auto sum = pair ? MatchBinary("Add", pair->b) : std::nullopt;
    if (!difference || !sum) return std::nullopt;
    const bool interleaved = pair->interleaved;
    const auto a = ScaledHalf(difference->first, {ValueId::kNone, false, interleaved});
    const auto b = ScaledHalf(difference->second, {ValueId::kNone, true, interleaved});
    if (!a || !b || a->first != b->first) return std::nullopt;
    for (const auto& [left, right] : {Operands(sum->first, sum->second), Operands(sum->second, sum->first)}) {
      const auto other_b = ScaledHalf(left, {ValueId::kNone, true, interleaved});
      const auto other_a = ScaledHalf(right, {ValueId::kNone, false, interleaved});
      if (other_b && other_a && *other_b == Operands(a->first, a->second) && *other_a == Operands(a->first, b->second))
        return Rotation{a->first, a->second, b->second, false, interleaved};
    }
    return std::nullopt;
  }

  // x * [cos, cos] + [-b, a] * [sin, sin]
  std::optional<Rotation> MatchWhole(const Node& root) const {
    const Operands terms = {InputAt(root, 0), InputAt(root, 1)};
    for (const auto& [straight, turned] : {terms, Operands(terms.second, terms.first)}) {
      const auto left = MatchBinary("Mul", straight);
      const auto right = MatchBinary("Mul", turned);
      if (!left || !right) continue;
      for (const auto& [part, sin] : {*right, Operands(right->second, right->first)}) {
        const auto half = TurnedOf(part);
        if (!half || (left->first != half->x && left->second != half->x)) continue;
        const ValueId cos = left->first == half->x ? left->second : left->first;
        if (IsDoubled(cos, half->interleaved, kDeepest) && IsDoubled(sin, half->interleaved, kDeepest))
          return Rotation{half->x, cos, sin, true, half->interleaved};
      }
    }
    return std::nullopt;
  }

  // The x of a * f or b * f, and f.
  std::optional<Operands> ScaledHalf(ValueId id, const Half& wanted) const {
    const auto product = MatchBinary("Mul", id);
    if (!product) return std::nullopt;
    for (const auto& [part, factor] : {*product, Operands(product->second, product->first)}) {
      const auto half = HalfOf(part);
      if (half && half->second == wanted.second && half->interleaved == wanted.interleaved)
        return Operands{half->x, factor};
    }
    return std::nullopt;
  }

  // The first half of the x of [-b, a].
  std::optional<Half> TurnedOf(ValueId id) const {
    const auto pair = PairOf(id);
    if (!pair || !IsNegated(pair->a)) return std::nullopt;
    const auto b = HalfOf(InputAt(*producers_.Of(pair->a), 0));
    const auto a = HalfOf(pair->b);
    const bool fits = a && b && !a->second && b->second && a->x == b->x && a->interleaved == pair->interleaved &&
                      b->interleaved == pair->interleaved;
    return fits ? a : std::nullopt;
  }

  // [a, b]; or a and b, each with a further axis behind its own, joined along that, which is no axis again.
  std::optional<Pair> PairOf(ValueId id) const {
    const Node* node = producers_.Of(id);
    if (node == nullptr) return std::nullopt;
    if (node->op == "Concat")
      return node->inputs.size() == 2 && IsAlongLast(*node)
                 ? std::optional(Pair{InputAt(*node, 0), InputAt(*node, 1), false})
                 : std::nullopt;
    const Node* joined = node->op == "Reshape" ? producers_.Of(InputAt(*node, 0)) : nullptr;
    if (joined == nullptr || joined->op != "Concat" || joined->inputs.size() != 2 || !IsAlongLast(*joined))
      return std::nullopt;
    const ValueId a = WithoutFurtherAxis(InputAt(*joined, 0));
    const ValueId b = WithoutFurtherAxis(InputAt(*joined, 1));
    return a != ValueId::kNone && b != ValueId::kNone && IsTwice(id, a) && IsTwice(id, b)
               ? std::optional(Pair{a, b, true})
               : std::nullopt;
  }

  ValueId WithoutFurtherAxis(ValueId id) const {
    const Node* node = producers_.Of(id);
    if (node == nullptr || (node->op != "Unsqueeze" && node->op != "Reshape")) return ValueId::kNone;
    const auto& from = graph_.value(InputAt(*node, 0)).dims;
    const auto& to = graph_.value(id).dims;
    if (!from || !to || to->size() != from->size() + 1 || !(to->back() == ir::Dim(1))) return ValueId::kNone;
    return std::equal(from->begin(), from->end(), to->begin()) ? InputAt(*node, 0) : ValueId::kNone;
  }

  // Returns true if the last axis is twice that of the half, and all others are the same.
  bool IsTwice(ValueId id, ValueId half) const {
    const auto& whole = graph_.value(id).dims;
    const auto& part = graph_.value(half).dims;
    return whole && part && !part->empty() && whole->size() == part->size() &&
           std::equal(part->begin(), part->end() - 1, whole->begin()) && part->back().is_number() &&
           whole->back() == ir::Dim(2 * part->back().number());
  }

  std::optional<Half> HalfOf(ValueId id) const {
    const Node* node = id == ValueId::kNone ? nullptr : producers_.Of(id);
    if (node == nullptr) return std::nullopt;
    if (node->op == "Gather" || node->op == "Squeeze") return MatchPairs(id, *node);
    const ValueId x = InputAt(*node, 0);
    if (x == ValueId::kNone || !IsTwice(x, id)) return std::nullopt;
    const int64_t half = graph_.value(id).dims->back().number();
    if (node->op == "Split" && node->outputs.size() == 2 && IsAlongLast(*node))
      return Half{x, node->outputs[1] == id, false};
    const auto slice = node->op == "Slice" ? SliceAlongLast(*node) : std::nullopt;
    if (!slice) return std::nullopt;
    if (slice->second == 2 && (slice->first == 0 || slice->first == 1)) return Half{x, slice->first == 1, true};
    if (slice->second != 1) return std::nullopt;
    if (slice->first == 0) return Half{x, false, false};
    if (slice->first == half || slice->first == -half) return Half{x, true, false};
    return std::nullopt;
  }

  // Matches x as [.., h, 2]: element 0 or 1 of the last axis, by Gather, or by Split and Squeeze.
  std::optional<Half> MatchPairs(ValueId id, const Node& node) const {
    ValueId pairs = InputAt(node, 0);
    std::optional<bool> second;
    if (node.op == "Gather") {
      const Rare<ir::Dims>& index = graph_.value(InputAt(node, 1)).contents;
      if (!IsAlongLast(node) || graph_.value(InputAt(node, 1)).dims != ir::Dims{} || !index) return std::nullopt;
      if (index->front() == ir::Dim(0) || index->front() == ir::Dim(1)) second = index->front() == ir::Dim(1);
    } else if (const Node* split = producers_.Of(pairs);
               split != nullptr && split->op == "Split" && split->outputs.size() == 2 && IsAlongLast(*split)) {
      second = split->outputs[1] == pairs;
      pairs = InputAt(*split, 0);
    }
    const Node* view = pairs == ValueId::kNone ? nullptr : producers_.Of(pairs);
    if (!second || view == nullptr || view->op != "Reshape" || !IsTwice(InputAt(*view, 0), id)) return std::nullopt;
    const auto& dims = graph_.value(pairs).dims;
    const ir::Dims& half = *graph_.value(id).dims;
    const bool fits = dims && dims->size() == half.size() + 1 && dims->back() == ir::Dim(2) &&
                      std::equal(half.begin(), half.end(), dims->begin());
    return fits ? std::optional(Half{InputAt(*view, 0), *second, true}) : std::nullopt;
  }

  // Start and step of a Slice of the last axis alone.
  std::optional<std::pair<int64_t, int64_t>> SliceAlongLast(const Node& node) const {
    const onnx_ops::NodeView view{graph_, node};
    const auto axes = view.Numbers(3);
    const auto starts = view.Numbers(1);
    if (!axes || axes->size() != 1 || !starts || starts->size() != 1 || !IsLast(axes->front(), InputAt(node, 0)))
      return std::nullopt;
    const auto steps = view.Numbers(4);
    if (view.Input(4) == nullptr) return std::pair(starts->front(), int64_t{1});
    return steps ? std::optional(std::pair(starts->front(), steps->front())) : std::nullopt;
  }

  bool IsAlongLast(const Node& node) const { return IsLast(IntAttribute(node, "axis", 0), InputAt(node, 0)); }

  bool IsLast(int64_t axis, ValueId of) const {
    const auto& dims = graph_.value(of).dims;
    return dims && (axis == -1 || axis + 1 == static_cast<int64_t>(dims->size()));
  }

  // Returns true if the last axis is [t, t] in every run: two of the same joined, or one repeated. Operations on each
  // element of that, or along other axes, may follow.
  bool IsDoubled(ValueId id, bool interleaved, int deepest) const {
    const Node* node = id == ValueId::kNone || deepest == 0 ? nullptr : producers_.Of(id);
    if (node == nullptr) return false;
    if (const auto pair = PairOf(id)) return pair->a == pair->b && pair->interleaved == interleaved;
    if (!interleaved && node->op == "Tile") return RepeatsLast(*node, 2) || KeepsDoubled(*node, false, deepest);
    if (interleaved && node->op == "Reshape") return RepeatsEach(id, *node);
    if (node->op == "Unsqueeze" || node->op == "Gather") return KeepsDoubled(*node, interleaved, deepest);
    if (onnx_ops::Find(node->op).form != onnx_ops::Form::kElementwise) return false;
    return std::ranges::all_of(node->inputs, [&](const ir::Arg& input) {
      return input.value() != nullptr &&
             (HasOneElement(*input.value()) || IsDoubled(*input.value(), interleaved, deepest - 1));
    });
  }

  bool KeepsDoubled(const Node& node, bool interleaved, int deepest) const {
    const bool keeps = node.op == "Unsqueeze" ? KeepsLastAxis(node)
                       : node.op == "Gather"  ? !IsAlongLast(node)
                                              : RepeatsLast(node, 1);
    return keeps && IsDoubled(InputAt(node, 0), interleaved, deepest - 1);
  }

  bool RepeatsLast(const Node& tile, int64_t times) const {
    const auto repeats = onnx_ops::NodeView{graph_, tile}.Numbers(1);
    return repeats && !repeats->empty() && repeats->back() == times;
  }

  // [.., h] as [.., h, 1], repeated to [.., h, 2], as [.., 2 h].
  bool RepeatsEach(ValueId id, const Node& reshape) const {
    const ValueId pairs = InputAt(reshape, 0);
    const Node* repeat = producers_.Of(pairs);
    if (repeat == nullptr || (repeat->op != "Tile" && repeat->op != "Expand")) return false;
    const ValueId each = WithoutFurtherAxis(InputAt(*repeat, 0));
    if (each == ValueId::kNone || !IsTwice(id, each)) return false;
    ir::Dims dims = *graph_.value(each).dims;
    dims.push_back(ir::Dim(2));
    return graph_.value(pairs).dims == dims;
  }

  bool KeepsLastAxis(const Node& unsqueeze) const {
    const auto axes = onnx_ops::NodeView{graph_, unsqueeze}.Numbers(1);
    const auto& dims = graph_.value(unsqueeze.outputs[0]).dims;
    if (!axes || !dims) return false;
    const auto last = static_cast<int64_t>(dims->size()) - 1;
    return std::ranges::none_of(*axes, [&](int64_t axis) { return axis == -1 || axis == last; });
  }

  bool HasOneElement(ValueId id) const {
    const auto& dims = graph_.value(id).dims;
    return dims && std::ranges::all_of(*dims, [](const ir::Dim& dim) { return dim == ir::Dim(1); });
  }

  const ir::Graph& graph_;
  const Producers& producers_;
};

}  // namespace

std::optional<Rotation> FindRotation(const ir::Graph& graph, const Producers& producers, const ir::Node& root) {
  return RotationFinder(graph, producers).Find(root);
}

std::string_view WhyNoRotation(const ir::Graph& graph, const Producers& producers, const ir::Node& root) {
  return RotationFinder(graph, producers).WhyNot(root);
}

}  // namespace onnxport::passes
