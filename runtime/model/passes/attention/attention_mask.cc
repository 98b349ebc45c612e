#include "runtime/model/passes/attention/attention_mask.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "runtime/model/passes/attention/triangle.h"
#include "runtime/model/passes/graph/constant_number.h"
#include "runtime/onnx/known_tensor.h"

namespace onnxport::passes {
namespace {

using ir::Dim;
using ir::Dims;
using ir::DType;
using ir::ValueId;

// Added to a score below 1e22, this leaves nothing of the score.
constexpr double kAbsorbing = -1e30;
constexpr int kLastOpsetWithLowestAsHidden = 24;
constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

// The effect of the mask's element on a score: it is added, or puts `fill` in its place.
double Added(const AttentionMask& mask, const onnx_ops::KnownTensor& element) {
  if (mask.kind == AttentionMask::Kind::kAdded) return onnx_ops::ToFloat(element.elements[0]);
  return (element.elements[0] != 0) == (mask.kind == AttentionMask::Kind::kShows) ? 0 : mask.fill;
}

// The triangle of visible elements, if all elements of the mask are known.
std::optional<Triangle> TriangleOf(const ir::Graph& graph, const Producers& producers, const AttentionMask& mask,
                                   const Dims& scores) {
  const auto& dims = graph.value(mask.value).dims;
  if (!dims || dims->size() < 2 || !std::equal(dims->end() - 2, dims->end(), scores.end() - 2)) return std::nullopt;
  return FindTriangle(graph, producers, mask.value);
}

bool IsCausal(const AttentionMask& mask, const Triangle& triangle, const Dims& scores) {
  // Offsets of fewer queries than keys are other ones in each version of the operator.
  return scores.end()[-2] == scores.back() && triangle.diagonal == Dim(0) && Added(mask, triangle.inside) == 0 &&
         Added(mask, triangle.outside) <= kHidingScore;
}

// Broadcast as PyTorch does: axes from the last one.
bool Broadcasts(const Dims& mask, const Dims& scores) {
  if (mask.empty() || mask.size() > scores.size() || !(mask.back() == scores.back())) return false;
  return std::equal(mask.rbegin(), mask.rend(), scores.rbegin(),
                    [](const Dim& part, const Dim& whole) { return part == Dim(1) || part == whole; });
}

// A constant that hides no row altogether.
bool ShowsAll(const Producers& producers, const AttentionMask& mask) {
  const auto known = ConstantElements(producers, mask.value);
  if (!known || known->shape.empty() || known->shape.back() == 0) return false;
  const auto columns = known->shape.back();
  for (auto row = known->elements.begin(); row != known->elements.end(); row += columns) {
    const bool seen = std::any_of(row, row + columns, [&](int64_t element) {
      return Added(mask, {known->dtype, {}, {element}}) > kMinusInfinity;
    });
    if (!seen) return false;
  }
  return true;
}

}  // namespace

MaskPlan PlanMask(const ir::Graph& graph, const Producers& producers, const AttentionMask& mask, const Dims& scores) {
  if (mask.kind == AttentionMask::Kind::kNone) return {};
  const ir::Value& value = graph.value(mask.value);
  if (mask.kind == AttentionMask::Kind::kAdded && value.dtype != DType::kFloat32)
    return {.why_not = "the mask is not float32"};
  if (mask.kind != AttentionMask::Kind::kAdded && value.dtype != DType::kBool)
    return {.why_not = "the mask is not bool"};
  const std::optional<Triangle> triangle = TriangleOf(graph, producers, mask, scores);
  if (triangle && IsCausal(mask, *triangle, scores)) return {.is_causal = true};
  if (!value.dims || !Broadcasts(*value.dims, scores))
    return {.why_not = "the mask has not as many keys as the scores, or does not broadcast to them"};
  // In a row of which all is hidden, -1e9 is not what is added to the scores there.
  if (mask.kind != AttentionMask::Kind::kAdded && !(mask.fill <= kAbsorbing))
    return {.why_not = "the number that hides a score is above -1e30"};
  const bool infinite = mask.kind == AttentionMask::Kind::kAdded || std::isinf(mask.fill);
  // Each row sees at least its first place.
  const auto least = triangle ? triangle->diagonal.Bounds(graph.ranges).min : std::nullopt;
  const bool sees = least && *least >= 0 && Added(mask, triangle->inside) > kMinusInfinity;
  // Up to an opset, ONNX Runtime takes a row of the lowest number for one that is hidden altogether.
  const bool lowest = mask.kind == AttentionMask::Kind::kAdded && graph.opset <= kLastOpsetWithLowestAsHidden;
  return {.may_hide_row = infinite && !sees && !ShowsAll(producers, mask), .may_have_lowest = lowest && !sees};
}

ValueId MakeMask(const ir::Graph& graph, const AttentionMask& mask, const MaskPlan& plan, const Dims& scores, ValueId q,
                 NodeMaker* make) {
  ValueId id = mask.value;
  Dims dims = *graph.value(id).dims;
  if (mask.kind != AttentionMask::Kind::kAdded && std::isfinite(mask.fill)) {
    const ValueId seen = make->Float(0);
    const ValueId hidden = make->Float(std::max(mask.fill, kAbsorbing));
    const bool shows = mask.kind == AttentionMask::Kind::kShows;
    id = make->Make("Where", {id, shows ? seen : hidden, shows ? hidden : seen}, DType::kFloat32, dims);
  } else if (mask.kind == AttentionMask::Kind::kHides) {
    id = make->Make("Not", {id}, dims);
  } else if (plan.may_have_lowest) {
    const ValueId is_lowest =
        make->Make("Equal", {id, make->Float(std::numeric_limits<float>::lowest())}, DType::kBool, dims);
    // The next number, so that each place stays above or below the others.
    const float next = std::nextafter(std::numeric_limits<float>::lowest(), 0.0F);
    id = make->Make("Where", {is_lowest, make->Float(next), id}, DType::kFloat32, dims);
  }
  const Dim& queries = scores.end()[-2];
  if (dims.size() >= 2 && dims.end()[-2] == queries) return id;
  // Expand broadcasts both ways: [queries, keys].
  if (dims.size() < 2) dims.insert(dims.begin(), Dim(1));
  dims.end()[-2] = queries;
  if (queries.is_number()) return make->Make("Expand", {id, make->Ints({queries.number(), 1})}, dims);
  const ValueId rows = make->Make("Concat", {make->Size(q, std::ssize(*graph.value(q).dims) - 2), make->Ints({1})},
                                  DType::kInt64, Dims{2}, {{"axis", {int64_t{0}}}});
  return make->Make("Expand", {id, rows}, dims);
}

ValueId MakeSeesAny(const ir::Graph& graph, ValueId mask, NodeMaker* make) {
  const bool is_bool = graph.value(mask).dtype == DType::kBool;
  Dims dims = *graph.value(mask).dims;
  const ValueId seen = is_bool ? mask : make->Make("Greater", {mask, make->Float(kMinusInfinity)}, DType::kBool, dims);
  const ValueId counted = make->Cast(seen, DType::kInt32);
  dims.back() = Dim(1);
  return make->Cast(
      make->Make("ReduceMax", {counted, make->Ints({-1})}, DType::kInt32, dims, {{"keepdims", {int64_t{1}}}}),
      DType::kBool);
}

}  // namespace onnxport::passes
