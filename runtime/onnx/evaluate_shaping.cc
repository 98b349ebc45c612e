#include <algorithm>

#include "runtime/ir/read_node.h"
#include "runtime/onnx/axis.h"
#include "runtime/onnx/evaluate_rules.h"

namespace onnxport::onnx_ops {
namespace {

using ir::DType;

// Returns the dimensions of the first input if all are numbers.
std::optional<Ints> StaticDims(const Call& call) {
  const ir::ValueId id = InputAt(call.node, 0);
  if (id == ir::ValueId::kNone || !call.graph.value(id).dims) return std::nullopt;
  Ints dims;
  for (const ir::Dim& dim : *call.graph.value(id).dims) {
    if (!dim.is_number()) return std::nullopt;
    dims.push_back(dim.number());
  }
  return dims;
}

// Returns the same elements in another shape.
Result WithShape(const KnownTensor& data, Ints shape) {
  const std::optional<int64_t> count = SmallCount(shape);
  if (!count || *count != static_cast<int64_t>(data.elements.size())) return std::nullopt;
  return KnownTensor{.dtype = data.dtype, .shape = std::move(shape), .elements = data.elements};
}

}  // namespace

namespace evaluate {

Result Shape(const Call& call) {
  const std::optional<Ints> dims = StaticDims(call);
  if (!dims) return std::nullopt;
  const auto rank = static_cast<int64_t>(dims->size());
  const int64_t begin = std::clamp<int64_t>(FromFront(IntAttribute(call.node, "start", 0), rank), 0, rank);
  const int64_t end = std::clamp<int64_t>(FromFront(IntAttribute(call.node, "end", rank), rank), 0, rank);
  return MakeResult(DType::kInt64, {std::max<int64_t>(end - begin, 0)}, [&](int64_t i) { return (*dims)[begin + i]; });
}

Result Size(const Call& call) {
  const std::optional<Ints> dims = StaticDims(call);
  if (!dims) return std::nullopt;
  int64_t count = 1;
  for (const int64_t dim : *dims) {
    if (__builtin_mul_overflow(count, dim, &count)) return std::nullopt;
  }
  return KnownTensor{.dtype = DType::kInt64, .shape = {}, .elements = {count}};
}

Result Unsqueeze(const Call& call) {
  std::optional<Ints> axes;
  const KnownTensor* data = call.input(0);
  if (data == nullptr || !call.List("axes", 1, &axes) || !axes) return std::nullopt;
  const size_t rank = data->shape.size() + axes->size();
  std::vector<bool> is_new(rank);
  for (const int64_t given : *axes) {
    const int64_t axis = FromFront(given, rank);
    if (!IsAxis(axis, rank) || is_new[axis]) return std::nullopt;
    is_new[axis] = true;
  }
  Ints shape;
  size_t next = 0;
  for (size_t i = 0; i < rank; ++i) shape.push_back(is_new[i] ? 1 : data->shape[next++]);
  return WithShape(*data, std::move(shape));
}

Result Squeeze(const Call& call) {
  std::optional<Ints> axes;
  const KnownTensor* data = call.input(0);
  if (data == nullptr || !call.List("axes", 1, &axes)) return std::nullopt;
  const size_t rank = data->shape.size();
  std::vector<bool> gone(rank);
  // Without `axes`, all axes of size 1 are removed.
  for (size_t i = 0; i < rank && !axes; ++i) gone[i] = data->shape[i] == 1;
  for (const int64_t given : axes.value_or(Ints())) {
    const int64_t axis = FromFront(given, rank);
    if (!IsAxis(axis, rank)) return std::nullopt;
    gone[axis] = true;
  }
  Ints shape;
  for (size_t i = 0; i < rank; ++i) {
    if (!gone[i]) shape.push_back(data->shape[i]);
  }
  return WithShape(*data, std::move(shape));  // nothing if a removed axis has another size than 1
}

Result Reshape(const Call& call) {
  const KnownTensor* data = call.input(0);
  if (data == nullptr || call.input(1) == nullptr) return std::nullopt;
  Ints shape = call.input(1)->elements;
  const bool keep_zero = IntAttribute(call.node, "allowzero", 0) != 0;
  int64_t known = 1;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 0 && !keep_zero) {
      if (i >= data->shape.size()) return std::nullopt;
      shape[i] = data->shape[i];
    }
    if (shape[i] > kMostElements || shape[i] < -1) return std::nullopt;
    if (shape[i] != -1) known *= shape[i];
    if (known > kMostElements) return std::nullopt;
  }
  const auto free = std::ranges::find(shape, -1);
  if (free != shape.end()) {
    // Next to a size of 0, -1 may stand for any number.
    if (known == 0) return std::nullopt;
    // If the division has a remainder, WithShape finds that the numbers of elements differ.
    *free = static_cast<int64_t>(data->elements.size()) / known;
  }
  return WithShape(*data, std::move(shape));
}

Result Expand(const Call& call) {
  const KnownTensor* data = call.input(0);
  if (data == nullptr || call.input(1) == nullptr) return std::nullopt;
  const std::optional<Ints> shape = Broadcast(data->shape, call.input(1)->elements);
  if (!shape) return std::nullopt;
  return MakeResult(data->dtype, *shape, [&](int64_t i) { return At(*data, *shape, i); });
}

Result ConstantOfShape(const Call& call) {
  const ir::Arg* attribute = FindAttribute(call.node, "value");
  if (call.input(0) == nullptr) return std::nullopt;
  // ONNX's default is a float32 zero, whose bits are 0.
  if (attribute == nullptr) return MakeResult(DType::kFloat32, call.input(0)->elements, [](int64_t) { return 0; });
  const auto* data = std::get_if<std::shared_ptr<const ir::TensorData>>(&attribute->v);
  const Result fill = data != nullptr ? ReadKnown(**data) : std::nullopt;
  if (!fill || fill->elements.size() != 1) return std::nullopt;
  return MakeResult(fill->dtype, call.input(0)->elements, [&](int64_t) { return fill->elements[0]; });
}

}  // namespace evaluate
}  // namespace onnxport::onnx_ops
