#include "runtime/model/passes/attention/spelled_attention.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/ir/read_node.h"
#include "runtime/model/passes/graph/axis_map.h"
#include "runtime/model/passes/graph/constant_number.h"

namespace onnxport::passes {
namespace {

using ir::Dim;
using ir::Dims;
using ir::InputAt;
using ir::Node;
using ir::ValueId;

constexpr size_t kAttentionRank = 4;
constexpr size_t kJoinedRank = 3;  // batch and heads are one axis
constexpr size_t kHeadsAxis = 1;

struct Scaled {
  ValueId of;
  double factor;
};

class AttentionFinder {
 public:
  AttentionFinder(const ir::Graph& graph, const Producers& producers, const UseCounts& uses)
      : graph_(graph), producers_(producers), uses_(uses) {}

  std::optional<SpelledAttention> Find(const Node& root) const {
    if (root.op != "MatMul") return std::nullopt;
    const ValueId weights = Regrouped(InputAt(root, 0));
    const Node* softmax = producers_.Of(weights);
    if (softmax == nullptr || softmax->op != "Softmax" || !IsAlongLast(*softmax)) return std::nullopt;
    std::optional<SpelledAttention> found = MatchScores(*softmax, root);
    if (!found) return std::nullopt;
    if (!uses_.IsForOneNode(weights)) found->weights = weights;
    if (!WhyUnfit(*found).empty()) return std::nullopt;
    std::tie(found->batch, found->heads) = BatchOf(*found);
    if (!IsDividedOnce(*found, {softmax->outputs[0], InputAt(*softmax, 0), root.outputs[0]})) return std::nullopt;
    const bool is_joined = DimsOf(found->q)->size() == kJoinedRank || found->scores.size() == kJoinedRank;
    if (is_joined && !found->heads.is_number()) return std::nullopt;
    return found;
  }

  std::string_view WhyNot(const Node& root) const {
    const Node* softmax = root.op == "MatMul" ? producers_.Of(Regrouped(InputAt(root, 0))) : nullptr;
    if (softmax == nullptr || softmax->op != "Softmax" || Find(root)) return "";
    if (!IsAlongLast(*softmax)) return "the softmax is not over the last axis";
    if (!IsFloat32(softmax->outputs[0])) return "it is not computed in float32";
    const std::optional<SpelledAttention> found = MatchScores(*softmax, root);
    if (!found) return "its scores are no product with a scale and a mask, or something else uses them";
    const std::string_view why = WhyUnfit(*found);
    return why.empty() ? "its batch and heads are divided in two ways, or their number is not known" : why;
  }

  // Wherever the program has batch and heads as two axes, they are the same two.
  bool IsDividedOnce(const SpelledAttention& found, std::initializer_list<ValueId> steps) const {
    const auto is_divided_so = [&](const Dims& dims) {
      return dims.size() != kAttentionRank || (dims[0] == found.batch && dims[kHeadsAxis] == found.heads);
    };
    return is_divided_so(*DimsOf(found.q)) && is_divided_so(found.scores) &&
           std::ranges::all_of(steps, [&](ValueId id) { return DimsOf(id) && is_divided_so(*DimsOf(id)); });
  }

  // With a `scale` the value are keys, with their last two axes the other way round; their factors go into it.
  AttentionHeads HeadsOf(ValueId id, double* scale) const {
    AttentionHeads heads;
    heads.from = scale == nullptr ? id : Unscaled(id, scale);
    if (!IsOfHeads(heads.from)) return {};
    heads.perm.resize(DimsOf(heads.from)->size());
    std::iota(heads.perm.begin(), heads.perm.end(), 0);
    if (const Node* node = producers_.Of(heads.from); node != nullptr && node->op == "Transpose") {
      const auto perm = IntsAttribute(*node, "perm");
      if (perm && IsOfHeads(InputAt(*node, 0))) {
        heads.perm = *perm;
        heads.from = scale == nullptr ? InputAt(*node, 0) : Unscaled(InputAt(*node, 0), scale);
      }
    }
    if (scale != nullptr) std::swap(heads.perm.end()[-2], heads.perm.end()[-1]);
    Dims from = *DimsOf(heads.from);
    const auto axis = static_cast<size_t>(heads.perm[kHeadsAxis]);
    if (const ValueId few = Repeated(heads.from, axis); few != ValueId::kNone) {
      heads.from = few;
      heads.repeats = true;
      from[axis] = (*DimsOf(few))[axis];
    }
    for (const int64_t i : heads.perm) heads.dims.push_back(from[static_cast<size_t>(i)]);
    return heads;
  }

 private:
  const std::optional<Dims>& DimsOf(ValueId id) const { return graph_.value(id).dims; }
  bool IsFloat32(ValueId id) const {
    return id != ValueId::kNone && graph_.value(id).dtype == ir::DType::kFloat32 && DimsOf(id);
  }

  static bool IsRank(size_t rank) { return rank == kAttentionRank || rank == kJoinedRank; }
  bool IsOfHeads(ValueId id) const { return IsFloat32(id) && IsRank(DimsOf(id)->size()); }

  // The node that computes the value for one other node alone.
  const Node* Step(std::string_view op, ValueId id) const {
    if (id == ValueId::kNone || !uses_.IsForOneNode(id)) return nullptr;
    const Node* node = producers_.Of(id);
    return node != nullptr && node->op == op ? node : nullptr;
  }

  bool IsAlongLast(const Node& softmax) const {
    const int64_t axis = IntAttribute(softmax, "axis", -1);
    const auto& dims = DimsOf(softmax.outputs[0]);
    return dims && (axis == -1 || axis + 1 == std::ssize(*dims));
  }

  // Scores of three axes that were of four, or the other way round: [b, h, q, k] as [b * h, q, k].
  ValueId Regrouped(ValueId id) const {
    const Node* node = Step("Reshape", id);
    const ValueId operand = node == nullptr ? ValueId::kNone : InputAt(*node, 0);
    if (!IsOfHeads(operand) || !DimsOf(id) || !IsRank(DimsOf(id)->size())) return id;
    const bool same = std::equal(DimsOf(id)->end() - 2, DimsOf(id)->end(), DimsOf(operand)->end() - 2);
    return same ? operand : id;
  }

  std::optional<double> NumberAt(const Node& node, size_t position) const {
    return ConstantNumber(graph_, producers_, InputAt(node, position));
  }

  std::optional<SpelledAttention> WithMask(ValueId scores) const {
    if (const Node* sum = Step("Add", scores)) {
      for (const size_t mask : {1, 0}) {
        if (auto found = Under(scores, InputAt(*sum, 1 - mask))) {
          found->mask = {AttentionMask::Kind::kAdded, InputAt(*sum, mask)};
          return found;
        }
      }
    }
    const Node* choice = Step("Where", scores);
    if (choice == nullptr) return std::nullopt;
    for (const size_t fill : {2, 1}) {
      const std::optional<double> number = NumberAt(*choice, fill);
      if (!number) continue;
      if (auto found = Under(scores, InputAt(*choice, 3 - fill))) {
        const auto kind = fill == 2 ? AttentionMask::Kind::kShows : AttentionMask::Kind::kHides;
        found->mask = {kind, InputAt(*choice, 0), *number};
        return found;
      }
    }
    return std::nullopt;
  }

  // Queries, keys, mask and values, whether or not they fit each other.
  std::optional<SpelledAttention> MatchScores(const Node& softmax, const Node& root) const {
    const ValueId scores = Regrouped(InputAt(softmax, 0));
    std::optional<SpelledAttention> found = WithoutMask(scores);
    if (!found) found = WithMask(scores);
    if (found) found->v = HeadsOf(InputAt(root, 1), nullptr);
    return found;
  }

  // A mask must not broadcast the scores.
  std::optional<SpelledAttention> Under(ValueId masked, ValueId scores) const {
    if (scores == ValueId::kNone || !SameDims(graph_.value(masked), graph_.value(scores))) return std::nullopt;
    auto found = WithoutMask(Regrouped(scores));
    if (found) found->scores = *DimsOf(masked);
    return found;
  }

  std::optional<SpelledAttention> WithoutMask(ValueId scores) const {
    SpelledAttention found;
    Scaled product = Unscaled(scores, true);
    if (const Node* tanh = Step("Tanh", product.of)) {
      if (!(product.factor > 0)) return std::nullopt;
      found.softcap = product.factor;
      product = Unscaled(InputAt(*tanh, 0), true);
      product.factor *= found.softcap;
    }
    const Node* matmul = Step("MatMul", product.of);
    if (matmul == nullptr) return std::nullopt;
    const Scaled q = Unscaled(InputAt(*matmul, 0), false);
    found.q = q.of;
    found.scale = product.factor * q.factor;
    found.k = HeadsOf(InputAt(*matmul, 1), &found.scale);
    if (!DimsOf(scores)) return std::nullopt;
    found.scores = *DimsOf(scores);
    return found;
  }

  // x of x * c and x / c.
  std::optional<Scaled> UnscaledOnce(const Node& node) const {
    const bool divides = node.op == "Div";
    if (!divides && node.op != "Mul") return std::nullopt;
    for (const size_t number : {1, 0}) {
      if (divides && number == 0) continue;
      const std::optional<double> factor = NumberAt(node, number);
      const ValueId x = InputAt(node, 1 - number);
      if (factor && IsFloat32(x) && SameDims(graph_.value(x), graph_.value(node.outputs[0])))
        return Scaled{x, divides ? 1 / *factor : *factor};
    }
    return std::nullopt;
  }

  Scaled Unscaled(ValueId id, bool used_once) const {
    Scaled scaled = {id, 1};
    while (scaled.of != ValueId::kNone) {
      const Node* node = producers_.Of(scaled.of);
      if (node == nullptr || (used_once && Step(node->op.text(), scaled.of) == nullptr)) break;
      const std::optional<Scaled> once = UnscaledOnce(*node);
      if (!once) break;
      scaled = {once->of, scaled.factor * once->factor};
    }
    return scaled;
  }

  ValueId Unscaled(ValueId id, double* scale) const {
    const Scaled scaled = Unscaled(id, false);
    *scale *= scaled.factor;
    return scaled.of;
  }

  // Matches [.., h, 1, ..] repeated to [.., h, g, ..] and joined to [.., h * g, ..]; returns the first. Each head comes
  // g times in a row, as the operator has them; h times g of them in another order are another tensor.
  ValueId Repeated(ValueId id, size_t axis) const {
    const Node* joined = producers_.Of(id);
    if (joined == nullptr || joined->op != "Reshape") return ValueId::kNone;
    const ValueId many = InputAt(*joined, 0);
    const Node* repeat = producers_.Of(many);
    if (repeat == nullptr || (repeat->op != "Expand" && repeat->op != "Tile")) return ValueId::kNone;
    const ValueId few = InputAt(*repeat, 0);
    if (!DimsOf(many) || !DimsOf(few) || DimsOf(few)->size() != kAttentionRank + 1) return ValueId::kNone;
    Dims expected = *DimsOf(few);
    Dims result = expected;
    result.erase(result.begin() + static_cast<std::ptrdiff_t>(axis) + 1);
    const Dims& wide = *DimsOf(many);
    if (wide.size() != kAttentionRank + 1 || !(expected[axis + 1] == Dim(1))) return ValueId::kNone;
    expected[axis + 1] = wide[axis + 1];
    result[axis] = wide[axis] * wide[axis + 1];
    return expected == wide && result == *DimsOf(id) ? few : ValueId::kNone;
  }

  // Nothing but heads of keys and values is shared, and the sizes of these are known. The operator takes the root of
  // the scale, and runtimes divide by sizes.
  std::string_view WhyUnfit(const SpelledAttention& found) const {
    if (!IsOfHeads(found.q) || !IsRank(found.scores.size()))
      return "its queries and scores have not three or four axes";
    const Dims& q = *DimsOf(found.q);
    const Dims& k = found.k.dims;
    const Dims& v = found.v.dims;
    if (k.size() != q.size() || v.size() != q.size()) return "its queries, keys and values have not as many axes";
    const bool groups = q.size() == kJoinedRank ? v[2].is_number() : SharesHeads(q[1], k[1]) && v[1] == k[1];
    if (!groups) return "its heads are no known multiple of those of keys and values";
    const auto is_none = [](const Dim& dim) { return dim == Dim(0); };
    if (std::ranges::any_of(q, is_none) || std::ranges::any_of(v, is_none)) return "one of its sizes is 0";
    if (!(k[0] == q[0] && v[0] == q[0] && v.end()[-2] == k.end()[-2] && k.back() == q.back()))
      return "the sizes of its queries, keys and values differ";
    return std::isfinite(found.scale) && found.scale > 0 ? "" : "its scale is not above 0";
  }

  static bool SharesHeads(const Dim& q, const Dim& k) {
    return k == q || (k.is_number() && q.is_number() && k.number() > 0 && q.number() % k.number() == 0);
  }

  // How many batches and heads there are, where four axes say so, or from where the three of the queries come.
  std::pair<Dim, Dim> BatchOf(const SpelledAttention& found) const {
    const Dims& q = *DimsOf(found.q);
    if (q.size() == kAttentionRank) return {q[0], q[1]};
    if (found.scores.size() == kAttentionRank) return {found.scores[0], found.scores[1]};
    AxisMap map(q);
    for (ValueId id = found.q; const Node* node = producers_.Of(id); id = InputAt(*node, 0)) {
      const auto perm = node->op == "Transpose" ? onnx_ops::PermOf(*node, map.source().size()) : std::nullopt;
      const std::optional<Dims>* from = node->op == "Reshape" ? &DimsOf(InputAt(*node, 0)) : nullptr;
      const bool is_known = perm ? map.ThroughTranspose(*perm) : from != nullptr && *from && map.ThroughReshape(**from);
      if (!is_known) break;
      const AxisMap::Axis& joined = map.result()[0];
      if (joined.size() == 2 && map.size(joined[1]).is_number()) return {map.size(joined[0]), map.size(joined[1])};
      // A part of an axis: heads of features, and one batch.
      const bool is_part = joined.size() == 1 && std::ranges::any_of(map.source(), [&](const AxisMap::Axis& axis) {
                             return axis.size() > 1 && std::ranges::find(axis, joined[0]) != axis.end();
                           });
      if (is_part) return {Dim(1), q[0]};
    }
    return {q[0], Dim(1)};
  }

  const ir::Graph& graph_;
  const Producers& producers_;
  const UseCounts& uses_;
};

}  // namespace

std::optional<SpelledAttention> FindAttention(const ir::Graph& graph, const Producers& producers, const UseCounts& uses,
                                              const Node& root) {
  return AttentionFinder(graph, producers, uses).Find(root);
}

std::string_view WhyNoAttention(const ir::Graph& graph, const Producers& producers, const UseCounts& uses,
                                const Node& root) {
  return AttentionFinder(graph, producers, uses).WhyNot(root);
}

AttentionHeads FindHeads(const ir::Graph& graph, const Producers& producers, const UseCounts& uses, ValueId id) {
  return AttentionFinder(graph, producers, uses).HeadsOf(id, nullptr);
}

}  // namespace onnxport::passes
