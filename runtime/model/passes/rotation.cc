#include "runtime/model/passes/rotation.h"

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

// One half of the last axis of x.
struct Half {
  ValueId x;
  bool second;
};

class Finder {
 public:
  Finder(const ir::Graph& graph, const Producers& producers) : graph_(graph), producers_(producers) {}

  std::optional<Rotation> Find(const Node& root) const {
    return root.op == "Concat" ? OfHalves(root) : root.op == "Add" ? OfWhole(root) : std::nullopt;
  }

 private:
  using Operands = std::pair<ValueId, ValueId>;

  // The inputs of the node with two of them that makes the value.
  std::optional<Operands> Of(std::string_view op, ValueId id) const {
    const Node* node = producers_.Of(id);
    if (node == nullptr || node->op != op || node->inputs.size() != 2) return std::nullopt;
    return Operands{InputAt(*node, 0), InputAt(*node, 1)};
  }

  // [a * cos - b * sin, b * cos + a * sin]
  std::optional<Rotation> OfHalves(const Node& root) const {
    if (root.inputs.size() != 2 || !IsAlongLast(root)) return std::nullopt;
    const auto difference = Of("Sub", InputAt(root, 0));
    const auto sum = Of("Add", InputAt(root, 1));
    if (!difference || !sum) return std::nullopt;
    const auto a = ScaledHalf(difference->first, false);
    const auto b = ScaledHalf(difference->second, true);
    if (!a || !b || a->first != b->first) return std::nullopt;
    for (const auto& [left, right] : {Operands(sum->first, sum->second), Operands(sum->second, sum->first)}) {
      const auto other_b = ScaledHalf(left, true);
      const auto other_a = ScaledHalf(right, false);
      if (other_b && other_a && *other_b == Operands(a->first, a->second) && *other_a == Operands(a->first, b->second))
        return Rotation{a->first, a->second, b->second};
    }
    return std::nullopt;
  }

  // x * [cos, cos] + [-b, a] * [sin, sin]
  std::optional<Rotation> OfWhole(const Node& root) const {
    const Operands terms = {InputAt(root, 0), InputAt(root, 1)};
    for (const auto& [straight, turned] : {terms, Operands(terms.second, terms.first)}) {
      const auto left = Of("Mul", straight);
      const auto right = Of("Mul", turned);
      if (!left || !right) continue;
      for (const auto& [part, sin] : {*right, Operands(right->second, right->first)}) {
        const ValueId x = TurnedOf(part);
        if (x == ValueId::kNone || (left->first != x && left->second != x)) continue;
        const ValueId cos = left->first == x ? left->second : left->first;
        if (IsDoubled(cos, kDeepest) && IsDoubled(sin, kDeepest)) return Rotation{x, cos, sin, true};
      }
    }
    return std::nullopt;
  }

  // The x of a * f or b * f, and f.
  std::optional<Operands> ScaledHalf(ValueId id, bool second) const {
    const auto product = Of("Mul", id);
    if (!product) return std::nullopt;
    for (const auto& [part, factor] : {*product, Operands(product->second, product->first)}) {
      const auto half = HalfOf(part);
      if (half && half->second == second) return Operands{half->x, factor};
    }
    return std::nullopt;
  }

  // The x of [-b, a].
  ValueId TurnedOf(ValueId id) const {
    const Node* node = producers_.Of(id);
    if (node == nullptr || node->op != "Concat" || node->inputs.size() != 2 || !IsAlongLast(*node))
      return ValueId::kNone;
    const Node* negated = producers_.Of(InputAt(*node, 0));
    if (negated == nullptr || negated->op != "Neg") return ValueId::kNone;
    const auto b = HalfOf(InputAt(*negated, 0));
    const auto a = HalfOf(InputAt(*node, 1));
    return a && b && !a->second && b->second && a->x == b->x ? a->x : ValueId::kNone;
  }

  std::optional<Half> HalfOf(ValueId id) const {
    const Node* node = producers_.Of(id);
    if (node == nullptr) return std::nullopt;
    const ValueId x = InputAt(*node, 0);
    const ir::Value& part = graph_.value(id);
    if (x == ValueId::kNone || !graph_.value(x).dims || graph_.value(x).dims->empty() || !part.dims)
      return std::nullopt;
    const ir::Dim& size = graph_.value(x).dims->back();
    if (!size.is_number() || part.dims->size() != graph_.value(x).dims->size() ||
        !(part.dims->back() == ir::Dim(size.number() / 2)) || size.number() % 2 != 0)
      return std::nullopt;
    if (node->op == "Split" && node->outputs.size() == 2 && IsAlongLast(*node)) return Half{x, node->outputs[1] == id};
    const auto start = node->op == "Slice" ? StartAlongLast(*node) : std::nullopt;
    if (start == 0) return Half{x, false};
    if (start == size.number() / 2 || start == -size.number() / 2) return Half{x, true};
    return std::nullopt;
  }

  // Where a Slice of the last axis alone begins that steps on by 1.
  std::optional<int64_t> StartAlongLast(const Node& node) const {
    const onnx_ops::NodeView view{graph_, node};
    const auto axes = view.Numbers(3);
    const auto starts = view.Numbers(1);
    if (!axes || axes->size() != 1 || !starts || starts->size() != 1 || !IsLast(axes->front(), InputAt(node, 0)))
      return std::nullopt;
    const auto steps = view.Numbers(4);
    if (view.Input(4) != nullptr && (!steps || steps->front() != 1)) return std::nullopt;
    return starts->front();
  }

  bool IsAlongLast(const Node& node) const { return IsLast(IntAttribute(node, "axis", 0), InputAt(node, 0)); }

  bool IsLast(int64_t axis, ValueId of) const {
    const auto& dims = graph_.value(of).dims;
    return dims && (axis == -1 || axis + 1 == static_cast<int64_t>(dims->size()));
  }

  // Whether the last axis is [t, t] in every run: two of the same joined, and what is done to each element of that.
  bool IsDoubled(ValueId id, int deepest) const {
    const Node* node = producers_.Of(id);
    if (node == nullptr || deepest == 0) return false;
    if (node->op == "Concat" && IsAlongLast(*node))
      return node->inputs.size() == 2 && InputAt(*node, 0) == InputAt(*node, 1);
    if (node->op == "Unsqueeze") return KeepsLastAxis(*node) && IsDoubled(InputAt(*node, 0), deepest - 1);
    if (onnx_ops::Find(node->op).form != onnx_ops::Form::kElementwise) return false;
    return std::ranges::all_of(node->inputs, [&](const ir::Arg& input) {
      return input.value() != nullptr && (HasOneElement(*input.value()) || IsDoubled(*input.value(), deepest - 1));
    });
  }

  bool KeepsLastAxis(const Node& node) const {
    const auto axes = onnx_ops::NodeView{graph_, node}.Numbers(1);
    const auto& dims = graph_.value(node.outputs[0]).dims;
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
  return Finder(graph, producers).Find(root);
}

}  // namespace onnxport::passes
