#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>

#include "runtime/ir/read_node.h"
#include "runtime/onnx/axis.h"
#include "runtime/onnx/evaluate_rules.h"
#include "runtime/onnx/permutation.h"

namespace onnxport::onnx_ops {
namespace {

// A view of a tensor as [outer, size, inner] around one axis. For shape [2, 3, 4] and axis 1 these are 2, 3, 4. Element
// (o, k, i) is at (o * size + k) * inner + i.
struct Axis {
  int64_t outer = 1;
  int64_t size = 1;
  int64_t inner = 1;
  Axis(const Ints& shape, int64_t axis) : size(shape[axis]) {
    for (int64_t i = 0; i < axis; ++i) outer *= shape[i];
    for (size_t i = axis + 1; i < shape.size(); ++i) inner *= shape[i];
  }
};

// Cuts one axis, as Python's data[start:end:step]. For a negative step, -1 after clamping is the place before the first
// element: [::-1] of 4 elements goes from 3 to -1.
Result SliceAxis(const KnownTensor& data, int64_t axis, int64_t start, int64_t end, int64_t step) {
  const Axis view(data.shape, axis);
  const int64_t size = view.size;
  if (step < 0 && start < -size) return std::nullopt;  // runtimes differ
  const auto clamp = [&](int64_t index) {
    if (index < 0) index = index < -size ? -1 : index + size;
    return step > 0 ? std::clamp<int64_t>(index, 0, size) : std::clamp<int64_t>(index, -1, size - 1);
  };
  const int64_t begin = clamp(start);
  const int64_t stop = clamp(end);
  const int64_t span = step > 0 ? stop - begin : begin - stop;
  const int64_t stride = step > 0 ? step : -step;
  Ints shape = data.shape;
  shape[axis] = span > 0 ? (span - 1) / stride + 1 : 0;
  const int64_t count = std::max<int64_t>(shape[axis], 1);
  return MakeResult(data.dtype, shape, [&](int64_t i) {
    const int64_t from = begin + i / view.inner % count * step;
    return data.elements[(i / view.inner / count * size + from) * view.inner + i % view.inner];
  });
}

}  // namespace

namespace evaluate {

// The shape of the indices replaces the axis: data [2, 5, 4] with indices [3, 3] on axis 1 gives [2, 3, 3, 4].
Result Gather(const Call& call) {
  const KnownTensor* data = call.input(0);
  const KnownTensor* indices = call.input(1);
  if (data == nullptr || indices == nullptr) return std::nullopt;
  const int64_t axis = FromFront(IntAttribute(call.node, "axis", 0), data->shape.size());
  if (!IsAxis(axis, data->shape.size())) return std::nullopt;
  const Axis view(data->shape, axis);
  Ints shape(data->shape.begin(), data->shape.begin() + axis);
  shape.insert(shape.end(), indices->shape.begin(), indices->shape.end());
  shape.insert(shape.end(), data->shape.begin() + axis + 1, data->shape.end());
  const auto count = static_cast<int64_t>(indices->elements.size());
  return MakeResult(data->dtype, std::move(shape), [&](int64_t i) -> std::optional<int64_t> {
    const int64_t index = indices->elements[i / view.inner % count];
    const int64_t from = index < 0 ? index + view.size : index;
    if (from < 0 || from >= view.size) return std::nullopt;
    return data->elements[(i / view.inner / count * view.size + from) * view.inner + i % view.inner];
  });
}

// Along the axis, the index tells the place. Along other axes, the place is that of the result.
Result GatherElements(const Call& call) {
  const KnownTensor* data = call.input(0);
  const KnownTensor* indices = call.input(1);
  if (data == nullptr || indices == nullptr || indices->shape.size() != data->shape.size()) return std::nullopt;
  const auto rank = std::ssize(data->shape);
  const int64_t axis = FromFront(IntAttribute(call.node, "axis", 0), data->shape.size());
  if (!IsAxis(axis, data->shape.size())) return std::nullopt;
  return MakeResult(data->dtype, indices->shape, [&](int64_t i) -> std::optional<int64_t> {
    int64_t left = i;
    int64_t from = 0;
    int64_t stride = 1;
    for (int64_t a = rank - 1; a >= 0; --a) {
      const int64_t size = data->shape[a];
      const int64_t along = a == axis ? indices->elements[i] : left % indices->shape[a];
      const int64_t place = along < 0 ? along + size : along;
      if (place < 0 || place >= size) return std::nullopt;
      from += place * stride;
      stride *= size;
      left /= indices->shape[a];
    }
    return data->elements[from];
  });
}

// Data [2, 3, 4] and indices [5, 2] are 5 pairs (i, j). Each gives data[i, j], so the result is [5, 4].
Result GatherND(const Call& call) {
  const KnownTensor* data = call.input(0);
  const KnownTensor* indices = call.input(1);
  if (data == nullptr || indices == nullptr || indices->shape.empty()) return std::nullopt;
  const int64_t depth = indices->shape.back();  // axes of the data that one index has
  if (IntAttribute(call.node, "batch_dims", 0) != 0 || depth < 1 || depth > std::ssize(data->shape))
    return std::nullopt;
  Ints shape(indices->shape.begin(), indices->shape.end() - 1);
  shape.insert(shape.end(), data->shape.begin() + depth, data->shape.end());
  const int64_t inner =
      std::accumulate(data->shape.begin() + depth, data->shape.end(), int64_t{1}, std::multiplies<>());
  return MakeResult(data->dtype, std::move(shape), [&](int64_t i) -> std::optional<int64_t> {
    int64_t from = 0;
    for (int64_t axis = 0; axis < depth; ++axis) {
      const int64_t size = data->shape[axis];
      const int64_t index = indices->elements[i / inner * depth + axis];
      const int64_t place = index < 0 ? index + size : index;
      if (place < 0 || place >= size) return std::nullopt;
      from = from * size + place;
    }
    return data->elements[from * inner + i % inner];
  });
}

// Adds forwards; each sum includes its own element.
Result CumSum(const Call& call) {
  const KnownTensor* data = call.input(0);
  const KnownTensor* place = call.input(1);
  if (data == nullptr || place == nullptr || place->elements.size() != 1) return std::nullopt;
  if (ir::IsFloat(data->dtype)) return std::nullopt;  // runtimes choose the order of the additions
  if (IntAttribute(call.node, "exclusive", 0) != 0 || IntAttribute(call.node, "reverse", 0) != 0) return std::nullopt;
  const int64_t axis = FromFront(place->elements[0], data->shape.size());
  if (!IsAxis(axis, data->shape.size())) return std::nullopt;
  const Axis view(data->shape, axis);
  KnownTensor result = *data;
  for (int64_t i = 0; i < std::ssize(result.elements); ++i) {
    int64_t& sum = result.elements[i];
    if (i / view.inner % view.size == 0) continue;
    if (__builtin_add_overflow(sum, result.elements[i - view.inner], &sum)) return std::nullopt;
    if (sum != Wrap(sum, data->dtype)) return std::nullopt;
  }
  return result;
}

Result Slice(const Call& call) {
  std::optional<Ints> starts, ends, axes, steps;
  if (call.input(0) == nullptr || !call.List("starts", 1, &starts) || !call.List("ends", 2, &ends) ||
      !call.List("axes", 3, &axes) || !call.List("steps", 4, &steps) || !starts || !ends) {
    return std::nullopt;
  }
  const size_t count = starts->size();
  if (ends->size() != count || (axes && axes->size() != count) || (steps && steps->size() != count))
    return std::nullopt;
  Result result = *call.input(0);
  for (size_t i = 0; result && i < count; ++i) {
    const size_t rank = result->shape.size();
    const int64_t axis = FromFront(axes ? (*axes)[i] : static_cast<int64_t>(i), rank);
    const int64_t step = steps ? (*steps)[i] : 1;
    if (!IsAxis(axis, rank) || step == 0 || step == INT64_MIN) return std::nullopt;
    result = SliceAxis(*result, axis, (*starts)[i], (*ends)[i], step);
  }
  return result;
}

Result Concat(const Call& call) {
  if (call.input(0) == nullptr) return std::nullopt;
  Ints shape = call.input(0)->shape;
  const int64_t axis = FromFront(IntAttribute(call.node, "axis", 0), shape.size());
  if (!IsAxis(axis, shape.size())) return std::nullopt;
  shape[axis] = 0;
  for (const KnownTensor* input : call.inputs) {
    if (input == nullptr || input->shape.size() != shape.size()) return std::nullopt;
    shape[axis] += input->shape[axis];
  }
  // Checked before anything is copied, as several small inputs may give a large result.
  if (!SmallCount(shape)) return std::nullopt;
  KnownTensor result = {.dtype = call.input(0)->dtype, .shape = shape, .elements = {}};
  const Axis view(shape, axis);
  for (int64_t outer = 0; outer < view.outer; ++outer) {
    for (const KnownTensor* input : call.inputs) {
      const int64_t row = input->shape[axis] * view.inner;
      const auto begin = input->elements.begin() + outer * row;
      result.elements.insert(result.elements.end(), begin, begin + row);
    }
  }
  return result;
}

Result Range(const Call& call) {
  for (size_t i = 0; i < 3; ++i) {
    if (call.input(i) == nullptr || call.input(i)->elements.size() != 1) return std::nullopt;
    if (ir::IsFloat(call.input(i)->dtype)) return std::nullopt;  // some runtimes add up the steps, others multiply
  }
  const int64_t start = call.input(0)->elements[0];
  const int64_t step = call.input(2)->elements[0];
  int64_t span;
  if (step == 0 || step == INT64_MIN || __builtin_sub_overflow(call.input(1)->elements[0], start, &span)) {
    return std::nullopt;
  }
  const bool empty = span == 0 || (span < 0) != (step < 0);
  const int64_t count = empty ? 0 : (span - (step > 0 ? 1 : -1)) / step + 1;
  return MakeResult(call.input(0)->dtype, {count}, [&](int64_t i) { return start + i * step; });
}

Result Identity(const Call& call) { return call.input(0) == nullptr ? std::nullopt : std::optional(*call.input(0)); }

Result Where(const Call& call) {
  const KnownTensor* condition = call.input(0);
  const KnownTensor* yes = call.input(1);
  const KnownTensor* no = call.input(2);
  if (condition == nullptr || yes == nullptr || no == nullptr) return std::nullopt;
  std::optional<Ints> shape = Broadcast(yes->shape, no->shape);
  if (shape) shape = Broadcast(*shape, condition->shape);
  if (!shape) return std::nullopt;
  return MakeResult(yes->dtype, *shape,
                    [&](int64_t i) { return At(At(*condition, *shape, i) ? *yes : *no, *shape, i); });
}

Result Transpose(const Call& call) {
  const KnownTensor* data = call.input(0);
  if (data == nullptr) return std::nullopt;
  const size_t rank = data->shape.size();
  const std::optional<Perm> perm = PermOf(call.node, rank);
  if (!perm) return std::nullopt;
  Ints strides(rank, 1);
  for (size_t i = rank; i-- > 1;) strides[i - 1] = strides[i] * data->shape[i];
  Ints shape;
  for (const int64_t axis : *perm) shape.push_back(data->shape[axis]);
  return MakeResult(data->dtype, shape, [&](int64_t i) {
    int64_t from = 0;
    for (size_t k = rank; k-- > 0; i /= shape[k]) from += i % shape[k] * strides[(*perm)[k]];
    return data->elements[from];
  });
}

// Keeps the upper or lower triangle of each matrix. The rest is zero, which is 0 in every dtype.
Result Trilu(const Call& call) {
  const KnownTensor* data = call.input(0);
  if (data == nullptr || data->shape.size() < 2 || (call.has_input(1) && call.input(1) == nullptr)) return std::nullopt;
  const int64_t diagonal = call.has_input(1) ? call.input(1)->elements.at(0) : 0;
  const bool upper = IntAttribute(call.node, "upper", 1) != 0;
  const int64_t rows = data->shape[data->shape.size() - 2];
  const int64_t columns = data->shape.back();
  return MakeResult(data->dtype, data->shape, [=](int64_t i) {
    // Comparing differences avoids a sum, which could overflow.
    const int64_t above = i % columns - i / columns % rows;
    return (upper ? above >= diagonal : above <= diagonal) ? data->elements[i] : 0;
  });
}

}  // namespace evaluate
}  // namespace onnxport::onnx_ops
