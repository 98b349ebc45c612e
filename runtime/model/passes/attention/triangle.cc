#include "runtime/model/passes/attention/triangle.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/ir/read_node.h"
#include "runtime/model/passes/graph/constant_number.h"
#include "runtime/onnx/evaluate.h"
#include "runtime/onnx/op_facts.h"

namespace onnxport::passes {
namespace {

using ir::Dim;
using ir::Dims;
using ir::InputAt;
using ir::Node;
using ir::ValueId;
using onnx_ops::KnownTensor;

constexpr int kDeepestMask = 16;  // a mask is made in a handful of steps

// Without a diagonal, all of it is `inside`.
struct Area {
  std::optional<Dim> diagonal;
  KnownTensor inside;
  KnownTensor outside;
};

// A row or a column of indices: offset, offset + 1, ...
struct IndexVector {
  bool are_rows;
  Dim offset;
};

class TriangleFinder {
 public:
  TriangleFinder(const ir::Graph& graph, const Producers& producers) : graph_(graph), producers_(producers) {}

  std::optional<Triangle> Find(ValueId id) const {
    const std::optional<Area> area = AreaOf(id, kDeepestMask);
    if (!area || !area->diagonal || area->diagonal->is_unknown()) return std::nullopt;
    return Triangle{*area->diagonal, area->inside, area->outside};
  }

 private:
  std::optional<Area> AreaOf(ValueId id, int deepest) const {
    const Node* node = id == ValueId::kNone || deepest == 0 ? nullptr : producers_.Of(id);
    if (node == nullptr) return std::nullopt;
    if (node->op == "Constant") return MatchConstant(id);
    if (node->op == "Trilu") return MatchTrilu(*node, deepest);
    if (node->op == "Expand") {
      std::optional<Area> area = AreaOf(InputAt(*node, 0), deepest - 1);
      return area && area->diagonal ? std::nullopt : area;
    }
    if (node->op == "Reshape" || node->op == "Unsqueeze") return MatchView(*node, deepest);
    if (std::optional<Area> compared = MatchComparison(*node)) return compared;
    return onnx_ops::Find(node->op.text()).form == onnx_ops::Form::kElementwise ? MatchElements(*node, deepest)
                                                                                : std::nullopt;
  }

  static KnownTensor One(const KnownTensor& of, size_t index) { return {of.dtype, {}, {of.elements[index]}}; }

  std::optional<Area> MatchConstant(ValueId id) const {
    const std::optional<KnownTensor> known = ConstantElements(producers_, id);
    if (!known || known->elements.empty()) return std::nullopt;
    const auto& elements = known->elements;
    if (std::ranges::all_of(elements, [&](int64_t element) { return element == elements[0]; }))
      return Area{std::nullopt, One(*known, 0), One(*known, 0)};
    if (known->shape.size() < 2) return std::nullopt;
    const auto columns = static_cast<size_t>(known->shape.back());
    const auto rows = static_cast<size_t>(known->shape[known->shape.size() - 2]);
    size_t inside = 1;  // of the first row
    while (inside < columns && elements[inside] == elements[0]) ++inside;
    if (inside == columns) return std::nullopt;
    for (size_t i = 0; i < elements.size(); ++i) {
      const bool is_inside = i % columns < i / columns % rows + inside;
      if (elements[i] != elements[is_inside ? 0 : inside]) return std::nullopt;
    }
    return Area{Dim(static_cast<int64_t>(inside) - 1), One(*known, 0), One(*known, inside)};
  }

  std::optional<Area> MatchTrilu(const Node& node, int deepest) const {
    std::optional<Area> area = AreaOf(InputAt(node, 0), deepest - 1);
    const std::optional<Dim> k = InputAt(node, 1) == ValueId::kNone ? Dim(0) : NumberOf(InputAt(node, 1));
    if (!area || area->diagonal || !k) return std::nullopt;
    const bool upper = IntAttribute(node, "upper", 1) != 0;
    (upper ? area->inside : area->outside).elements[0] = 0;  // of floats, too
    area->diagonal = upper ? *k - Dim(1) : *k;
    return area;
  }

  // A view keeps the last two axes if all axes before them are 1.
  std::optional<Area> MatchView(const Node& node, int deepest) const {
    std::optional<Area> area = AreaOf(InputAt(node, 0), deepest - 1);
    if (!area || !area->diagonal) return area;
    if (!SameMatrix(InputAt(node, 0), node.outputs[0])) return std::nullopt;
    const auto has_one = [this](ValueId id) {
      const Dims& dims = *graph_.value(id).dims;
      return std::all_of(dims.begin(), dims.end() - 2, [](const Dim& dim) { return dim == Dim(1); });
    };
    return has_one(InputAt(node, 0)) && has_one(node.outputs[0]) ? area : std::nullopt;
  }

  std::optional<Area> MatchComparison(const Node& node) const {
    const bool less = node.op == "Less" || node.op == "LessOrEqual";
    if (!less && node.op != "Greater" && node.op != "GreaterOrEqual") return std::nullopt;
    const std::optional<IndexVector> left = IndexVectorOf(InputAt(node, 0), kDeepestMask);
    const std::optional<IndexVector> right = IndexVectorOf(InputAt(node, 1), kDeepestMask);
    if (!left || !right || left->are_rows == right->are_rows) return std::nullopt;
    // `smaller < larger`, or equal: of the two indices, one of a column and one of a row.
    const IndexVector& smaller = less ? *left : *right;
    const IndexVector& larger = less ? *right : *left;
    const bool equal = node.op == "LessOrEqual" || node.op == "GreaterOrEqual";
    const auto truth = [](bool is) { return KnownTensor{ir::DType::kBool, {}, {is ? 1 : 0}}; };
    // j + c <= i + r
    if (!smaller.are_rows) return Area{larger.offset - smaller.offset - Dim(equal ? 0 : 1), truth(true), truth(false)};
    // i + r <= j + c: not j <= i + r - c - 1
    return Area{smaller.offset - larger.offset - Dim(equal ? 1 : 0), truth(false), truth(true)};
  }

  std::optional<IndexVector> IndexVectorOf(ValueId id, int deepest) const {
    const Node* node = id == ValueId::kNone || deepest == 0 ? nullptr : producers_.Of(id);
    if (node == nullptr) return std::nullopt;
    if (node->op == "Range") {
      const auto start = NumberOf(InputAt(*node, 0));
      const auto step = NumberOf(InputAt(*node, 2));
      return start && step && *step == Dim(1) ? std::optional(IndexVector{false, *start}) : std::nullopt;
    }
    if (node->op == "Cast")
      return ir::IsInt(graph_.value(id).dtype) ? IndexVectorOf(InputAt(*node, 0), deepest - 1) : std::nullopt;
    if (node->op == "Add" || node->op == "Sub") return Moved(*node, deepest);
    if (node->op != "Unsqueeze" && node->op != "Reshape") return std::nullopt;
    std::optional<IndexVector> indices = IndexVectorOf(InputAt(*node, 0), deepest - 1);
    const auto from = OnlyAxis(InputAt(*node, 0));
    const auto to = OnlyAxis(id);
    const size_t rank = to ? graph_.value(id).dims->size() : 0;
    if (!indices || !from || rank < 2 || !(from->size == to->size) || to->axis + 2 < rank) return std::nullopt;
    indices->are_rows = to->axis + 2 == rank;
    return indices;
  }

  // [.., n, ..] where all others are 1. A single place is a row's, as there is no other row.
  struct Axis {
    size_t axis;
    Dim size;
  };
  std::optional<Axis> OnlyAxis(ValueId id) const {
    const std::optional<Dims>& dims = graph_.value(id).dims;
    if (!dims || dims->empty()) return std::nullopt;
    Axis found = {dims->size() - std::min<size_t>(dims->size(), 2), 1};
    int others = 0;
    for (size_t i = 0; i < dims->size(); ++i) {
      if ((*dims)[i] == Dim(1)) continue;
      found = {i, (*dims)[i]};
      ++others;
    }
    return others <= 1 ? std::optional(found) : std::nullopt;
  }

  std::optional<IndexVector> Moved(const Node& node, int deepest) const {
    std::optional<IndexVector> indices = IndexVectorOf(InputAt(node, 0), deepest - 1);
    std::optional<Dim> by = NumberOf(InputAt(node, 1));
    if (!indices && node.op == "Add") {
      indices = IndexVectorOf(InputAt(node, 1), deepest - 1);
      by = NumberOf(InputAt(node, 0));
    }
    if (!indices || !by) return std::nullopt;
    indices->offset = node.op == "Add" ? indices->offset + *by : indices->offset - *by;
    return indices;
  }

  // The only element of an integer tensor, a number or an expression.
  std::optional<Dim> NumberOf(ValueId id) const {
    if (id == ValueId::kNone) return std::nullopt;
    const Rare<Dims>& contents = graph_.value(id).contents;
    if (!contents || contents->size() != 1 || contents->front().is_unknown()) return std::nullopt;
    return contents->front();
  }

  // An operation on each element is applied to the two elements that there are.
  std::optional<Area> MatchElements(const Node& node, int deepest) const {
    std::vector<Area> operands;
    Area result;
    for (const ir::Arg& input : node.inputs) {
      const std::optional<Area> area = input.value() == nullptr ? std::nullopt : AreaOf(*input.value(), deepest - 1);
      if (!area) return std::nullopt;
      if (area->diagonal && result.diagonal && !(*area->diagonal == *result.diagonal)) return std::nullopt;
      // A row that is repeated gives equal rows.
      if (area->diagonal && !SameMatrix(*input.value(), node.outputs[0])) return std::nullopt;
      if (area->diagonal) result.diagonal = area->diagonal;
      operands.push_back(*area);
    }
    std::vector<const KnownTensor*> inside;
    std::vector<const KnownTensor*> outside;
    for (const Area& area : operands) {
      inside.push_back(&area.inside);
      outside.push_back(area.diagonal ? &area.outside : &area.inside);
    }
    std::optional<KnownTensor> in = onnx_ops::Evaluate(graph_, node, inside);
    std::optional<KnownTensor> out = onnx_ops::Evaluate(graph_, node, outside);
    if (!in || !out || in->elements.size() != 1 || out->elements.size() != 1) return std::nullopt;
    result.inside = *std::move(in);
    result.outside = *std::move(out);
    return result;
  }

  bool SameMatrix(ValueId a, ValueId b) const {
    const auto& left = graph_.value(a).dims;
    const auto& right = graph_.value(b).dims;
    return left && right && left->size() >= 2 && right->size() >= 2 &&
           std::equal(left->end() - 2, left->end(), right->end() - 2);
  }

  const ir::Graph& graph_;
  const Producers& producers_;
};

}  // namespace

std::optional<Triangle> FindTriangle(const ir::Graph& graph, const Producers& producers, ValueId id) {
  return TriangleFinder(graph, producers).Find(id);
}

}  // namespace onnxport::passes
