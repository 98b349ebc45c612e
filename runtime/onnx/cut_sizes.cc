#include <algorithm>
#include <optional>
#include <vector>

#include "runtime/onnx/axis.h"
#include "runtime/onnx/size_rules.h"

namespace onnxport::onnx_ops::sizes {
namespace {

using ir::Dim;
using ir::Dims;

// Programs and exporters write INT32_MAX or INT64_MAX for the end of `x[1:]`. No axis is as long as this.
constexpr int64_t kToTheEnd = 1 << 30;  // a bound from here on means the end

bool IsNegative(const Dim& bound) { return bound.is_number() && bound.number() < 0; }

Dim AtLeastZero(const Dim& size, const NodeView& node) { return node.NotNegative(size) ? size : Dim::Max(size, 0); }

Dim AtMost(const Dim& most, const Dim& size, const NodeView& node) {
  if (node.NotNegative(most - size)) return size;
  return node.NotNegative(size - most) ? most : Dim::Min(size, most);
}

bool IsEnd(const Dim& bound, const Dim& size) {
  return bound == size || (bound.is_number() && bound.number() >= kToTheEnd);
}

// Returns the place of a slice bound in [0, size]. On an axis of size n, `x[:5]` ends at Min(5, n), or at 5 if n is
// known to be 5 or more. `x[-3:]` begins at Max(n - 3, 0). An expression that may be negative might count from the end,
// so the result is unknown.
Dim SliceBound(const Dim& bound, const Dim& size, const NodeView& node) {
  if (IsEnd(bound, size)) return size;
  if (IsNegative(bound)) return bound.number() <= -kToTheEnd ? Dim(0) : AtLeastZero(size + bound, node);
  return node.NotNegative(bound) ? AtMost(bound, size, node) : Dim();
}

// Returns the number of elements between two bounds. The first two forms equal the difference of the SliceBounds, but
// are shorter: Min(3, n) for `x[-3:]`, Max(0, n - 3) for `x[1:-2]`.
Dim SliceLength(const Dim& start, const Dim& end, const Dim& size, const NodeView& node) {
  if (size.is_unknown()) return {};
  if (IsEnd(start, size)) return 0;
  if (IsNegative(start) && start.number() > -kToTheEnd && IsEnd(end, size)) return AtMost(Dim(0) - start, size, node);
  const bool to_end = IsEnd(end, size);
  const bool before_end = IsNegative(end) && end.number() > -kToTheEnd;
  if ((to_end || before_end) && !IsNegative(start) && node.NotNegative(start)) {
    return AtLeastZero((to_end ? size : size + end) - start, node);
  }
  return AtLeastZero(SliceBound(end, size, node) - SliceBound(start, size, node), node);
}

// Returns true for a slice from the last element to the first, as `flip` makes it.
bool IsWholeBackwards(const Dim& start, const Dim& end) {
  const bool from_last = start == Dim(-1) || (start.is_number() && start.number() >= kToTheEnd);
  return from_last && end.is_number() && end.number() <= -kToTheEnd;
}

}  // namespace

void Slice(const NodeView& node, InferredTypes* types) {
  const Dims* in = node.Shape(0);
  const auto starts = node.List("starts", 1);
  const auto ends = node.List("ends", 2);
  if (!in || !starts || !ends || starts->size() != ends->size()) return;
  Dims* out = Result(types, in->size());
  if (!out) return;
  const auto axes = node.List("axes", 3);
  const auto steps = node.List("steps", 4);
  if (node.Has("axes", 3) && (!axes || axes->size() != starts->size())) return;
  if (node.Has("steps", 4) && (!steps || steps->size() != starts->size())) return;
  std::vector<bool> sliced(in->size());
  for (size_t k = 0; k < starts->size(); ++k) {
    const Dim axis_dim = axes ? (*axes)[k] : Dim(static_cast<int64_t>(k));
    if (!axis_dim.is_number()) return;
    const auto axis = static_cast<size_t>(FromFront(axis_dim.number(), in->size()));
    if (axis >= in->size()) return;
    sliced[axis] = true;
    const Dim step = steps ? (*steps)[k] : Dim(1);
    if (!step.is_number()) continue;
    if (step.number() < 0 && IsWholeBackwards((*starts)[k], (*ends)[k])) {
      Set(out, axis, Dim::FloorDiv((*in)[axis] - Dim(step.number() + 1), Dim(0) - step));
    }
    if (step.number() < 1) continue;
    const Dim length = SliceLength((*starts)[k], (*ends)[k], (*in)[axis], node);
    // The quotient is rounded up: 5 elements with a step of 2 give 3.
    if (!length.is_unknown()) Set(out, axis, Dim::FloorDiv(length + Dim(step.number() - 1), step));
  }
  for (size_t i = 0; i < in->size(); ++i) {
    if (!sliced[i]) Set(out, i, (*in)[i]);
  }
}

void Split(const NodeView& node, InferredTypes* types) {
  const Dims* in = node.Shape(0);
  if (!in) return;
  const auto axis = static_cast<size_t>(FromFront(node.Int("axis", 0), in->size()));
  if (axis >= in->size()) return;
  const auto sizes = node.List("split", 1);
  for (size_t k = 0; k < types->size(); ++k) {
    auto& dims = (*types)[k].dims;
    if (!dims) dims = *in, (*dims)[axis] = Dim();
    if (dims->size() == in->size() && sizes && k < sizes->size()) Set(&*dims, axis, (*sizes)[k]);
  }
}

// The type is that of the list's elements.
void SplitToSequence(const NodeView& node, InferredTypes* types) {
  const Dims* in = node.Shape(0);
  if (!in || in->empty()) return;
  const auto axis = static_cast<size_t>(FromFront(node.Int("axis", 0), in->size()));
  const bool has_sizes = node.node.inputs.size() > 1 && node.node.inputs[1].value() != nullptr;
  const bool drops = !has_sizes && node.Int("keepdims", 1) == 0;
  Dims* out = axis < in->size() ? Result(types, in->size() - (drops ? 1 : 0)) : nullptr;
  for (size_t i = 0, to = 0; out && i < in->size(); ++i) {
    if (i != axis) Set(out, to, (*in)[i]);
    if (i == axis && !drops && !has_sizes) Set(out, to, Dim(1));
    to += i == axis && drops ? 0 : 1;
  }
}

void Pad(const NodeView& node, InferredTypes* types) {
  const Dims* in = node.Shape(0);
  const auto pads = node.List("pads", 1);
  // The list has all beginnings, then all ends. With input 3 (opset 18) it covers only some axes. A negative number
  // cuts.
  if (!in || !pads || pads->size() != 2 * in->size() || node.Input(3)) return;
  Dims* out = Result(types, in->size());
  if (!out) return;
  for (size_t i = 0; i < in->size(); ++i) Set(out, i, (*in)[i] + (*pads)[i] + (*pads)[i + in->size()]);
}

void Tile(const NodeView& node, InferredTypes* types) {
  const Dims* in = node.Shape(0);
  const Dims* repeats = node.Elements(1);
  if (!in || !repeats || repeats->size() != in->size()) return;
  Dims* out = Result(types, in->size());
  if (!out) return;
  for (size_t i = 0; i < in->size(); ++i) Set(out, i, (*in)[i] * (*repeats)[i]);
}

// Infers nothing if the number of elements, or the axis, is not a known number.
void TopK(const NodeView& node, InferredTypes* types) {
  const Dims* in = node.Shape(0);
  if (!in || in->empty()) return;
  const int64_t axis = FromFront(node.Int("axis", -1), in->size());
  const auto count = node.Attribute("k") ? std::optional(Dims{Dim(node.Int("k", 0))}) : node.List("k", 1);
  for (InferredType& type : *types) {
    if (!type.dims) type.dims.emplace(in->size());
    if (type.dims->size() != in->size()) continue;
    for (size_t i = 0; i < in->size(); ++i) {
      if (static_cast<int64_t>(i) != axis) Set(&*type.dims, i, (*in)[i]);
      if (static_cast<int64_t>(i) == axis && count && count->size() == 1) Set(&*type.dims, i, count->front());
    }
  }
}

}  // namespace onnxport::onnx_ops::sizes
