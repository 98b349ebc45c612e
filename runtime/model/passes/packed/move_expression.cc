#include "runtime/model/passes/packed/move_expression.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "runtime/ir/read_node.h"
#include "runtime/model/passes/packed/expression_reader.h"
#include "runtime/onnx/op_facts.h"
#include "runtime/onnx/permutation.h"

namespace onnxport::passes {
namespace {

using Numbers = ElementMap::Numbers;

ExpressionRef GatherAlong(const ExpressionRef& whole, size_t axis, const Numbers& indices) {
  return Moved(whole, [&](ElementMap* map) { return map->Take(axis, indices), true; });
}

Numbers Counted(int64_t count, int64_t first = 0, int64_t step = 1) {
  Numbers numbers;
  for (int64_t i = 0; i < count; ++i) numbers.push_back(first + i * step);
  return numbers;
}

// In [0, size); nothing for an index that is out of range.
std::optional<Numbers> FromFront(std::optional<Numbers> indices, int64_t size) {
  if (!indices) return std::nullopt;
  for (int64_t& index : *indices) {
    if (index < 0) index += size;
    if (index < 0 || index >= size) return std::nullopt;
  }
  return indices;
}

// One of the operands for each index of an axis.
ExpressionRef Choice(const Numbers& shape, size_t axis, std::vector<size_t> choices,
                     std::vector<ExpressionRef> operands) {
  Numbers along(shape.size(), 1);
  along[axis] = shape[axis];
  ElementMap map(along);
  if (!map.Broadcast(shape)) return nullptr;
  const ir::DType dtype = operands[0]->dtype;
  auto shared = std::make_shared<const std::vector<size_t>>(std::move(choices));
  return Combined({dtype, shape, 0, Expression::Chosen{std::move(shared), std::move(map), std::move(operands)}});
}

std::optional<Numbers> KnownInts(const Operation& made, size_t position) {
  return position < made.inputs.size() ? ReadAll(made.inputs[position]) : std::nullopt;
}

// The axis of an attribute, which ONNX's inference has checked.
size_t AxisOf(const Operation& made, size_t rank) {
  const int64_t axis = IntAttribute(made.node, "axis", 0);
  return static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(rank) : axis);
}

ExpressionRef Reshaped(const Operation& made) {
  return Moved(made.inputs[0], [&](ElementMap* map) { return map->Reshape(made.shape); });
}

ExpressionRef Identity(const Operation& made) { return made.inputs[0]; }

ExpressionRef Expand(const Operation& made) { return Spread(made.inputs[0], made.shape); }

ExpressionRef Transpose(const Operation& made) {
  const auto perm = onnx_ops::PermOf(made.node, made.inputs[0]->shape.size());
  return perm ? Moved(made.inputs[0], [&](ElementMap* map) { return map->Transpose(*perm), true; }) : nullptr;
}

ExpressionRef Tile(const Operation& made) {
  const Numbers before = made.inputs[0]->shape;
  ExpressionRef result = made.inputs[0];
  for (size_t axis = 0; result != nullptr && axis < before.size(); ++axis) {
    Numbers indices = Counted(made.shape[axis]);
    for (int64_t& index : indices) index %= before[axis];
    result = GatherAlong(result, axis, indices);
  }
  return result;
}

// The shape of the result says how many are taken.
ExpressionRef Slice(const Operation& made) {
  const auto starts = KnownInts(made, 1);
  const auto axes = made.inputs.size() > 3 ? KnownInts(made, 3) : Counted(starts ? std::ssize(*starts) : 0);
  const auto steps =
      made.inputs.size() > 4 ? KnownInts(made, 4) : std::optional(Numbers(starts ? starts->size() : 0, int64_t{1}));
  if (!starts || !axes || !steps || axes->size() != starts->size() || steps->size() != starts->size()) return nullptr;
  ExpressionRef result = made.inputs[0];
  for (size_t i = 0; result != nullptr && i < starts->size(); ++i) {
    const auto axis = static_cast<size_t>((*axes)[i] < 0 ? (*axes)[i] + std::ssize(made.shape) : (*axes)[i]);
    const int64_t size = result->shape[axis];
    const int64_t start = (*starts)[i] < 0 ? std::max<int64_t>((*starts)[i], -size) + size : (*starts)[i];
    const Numbers indices = Counted(made.shape[axis], std::min(start, size - 1), (*steps)[i]);
    const auto [least, largest] = std::ranges::minmax(indices);
    if (least < 0 || largest >= size) return nullptr;
    result = GatherAlong(result, axis, indices);
  }
  return result;
}

// The shape of the indices replaces the axis.
ExpressionRef Gather(const Operation& made) {
  const size_t axis = AxisOf(made, made.inputs[0]->shape.size());
  const auto indices = FromFront(KnownInts(made, 1), made.inputs[0]->shape[axis]);
  if (!indices) return nullptr;
  const ExpressionRef taken = GatherAlong(made.inputs[0], axis, *indices);
  return Moved(taken, [&](ElementMap* map) { return map->Reshape(made.shape); });
}

// Beyond a part, its first element fills the place; it is never chosen.
ExpressionRef Concat(const Operation& made) {
  const size_t axis = AxisOf(made, made.shape.size());
  std::vector<ExpressionRef> operands;
  std::vector<size_t> choices;
  for (const ExpressionRef& part : made.inputs) {
    const int64_t size = part->shape[axis];
    Numbers indices(static_cast<size_t>(made.shape[axis]));
    std::iota(indices.begin() + std::ssize(choices), indices.begin() + std::ssize(choices) + size, 0);
    choices.insert(choices.end(), static_cast<size_t>(size), operands.size());
    operands.push_back(GatherAlong(part, axis, indices));
  }
  return Choice(made.shape, axis, std::move(choices), std::move(operands));
}

// Rows that others overwrite, as in `x[:, i::8] = y`: the index must be the same for all elements of a row.
ExpressionRef ScatterElements(const Operation& made) {
  if (FindAttribute(made.node, "reduction") != nullptr) return nullptr;
  const size_t axis = AxisOf(made, made.shape.size());
  const ExpressionRef& updates = made.inputs[2];
  Numbers rows = made.shape;
  rows[axis] = updates->shape[axis];
  if (rows[axis] > made.shape[axis] || updates->shape != rows || made.inputs[1]->shape != rows) return nullptr;
  const auto indices = FromFront(ReadAlong(made.inputs[1], axis), made.shape[axis]);
  if (!indices) return nullptr;
  // Which update a row takes; for rows without one, any. With a step the neighbours take the same one, so that the axis
  // can be split at multiples of it.
  const int64_t step = made.shape[axis] / rows[axis];
  Numbers written = Counted(made.shape[axis]);
  for (int64_t& row : written) row = std::min(row / step, rows[axis] - 1);
  std::vector<size_t> choices(written.size());
  for (size_t i = 0; i < indices->size(); ++i) {
    const auto at = static_cast<size_t>((*indices)[i]);
    if (std::exchange(choices[at], 1) == 1) return nullptr;  // which of two stays is the runtime's
    written[at] = static_cast<int64_t>(i);
  }
  return Choice(made.shape, axis, std::move(choices), {made.inputs[0], GatherAlong(updates, axis, written)});
}

struct Row {
  std::string_view op;
  Mover make;
};
// An operator's inputs are the moved tensor and known integers, or a shape that the result has.
constexpr Row kMovers[] = {
    {"Concat", Concat},     {"Expand", Expand},       {"Gather", Gather},
    {"Identity", Identity}, {"Slice", Slice},         {"ScatterElements", ScatterElements},
    {"Tile", Tile},         {"Transpose", Transpose},
};

}  // namespace

Mover MoverOf(const ir::Node& node) {
  if (onnx_ops::Find(node.op).form == onnx_ops::Form::kView) return Reshaped;
  const auto* found = std::ranges::find(kMovers, node.op.text(), &Row::op);
  return found == std::end(kMovers) ? nullptr : found->make;
}

ExpressionRef Spread(const ExpressionRef& whole, const Numbers& shape) {
  return Moved(whole, [&](ElementMap* map) { return map->Broadcast(shape); });
}

}  // namespace onnxport::passes
