#include "runtime/model/passes/constant_expression.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "runtime/ir/read_node.h"
#include "runtime/model/passes/expression_reader.h"
#include "runtime/onnx/known_tensor.h"
#include "runtime/onnx/op_facts.h"
#include "runtime/onnx/permutation.h"

namespace onnxport::passes {
namespace {

using ir::Node;
using ir::ValueId;
using Numbers = ElementMap::Numbers;

// Expressions are walked by functions that call themselves.
constexpr int kMostDepth = 256;

bool HasMaps(const Numbers& shape) {
  return std::ranges::all_of(shape, [](int64_t size) { return size > 0 && size <= ElementMap::kMostOffsets; });
}

std::optional<Numbers> ShapeOf(const ir::Value& value) {
  if (!value.dims) return std::nullopt;
  Numbers shape;
  for (const ir::Dim& dim : *value.dims) {
    if (!dim.is_number()) return std::nullopt;
    shape.push_back(dim.number());
  }
  return HasMaps(shape) ? std::optional(std::move(shape)) : std::nullopt;
}

ExpressionRef MakeConstant(const std::shared_ptr<const ir::TensorData>& data) {
  if (!HasMaps(data->shape) || data->bytes->absent()) return nullptr;
  if (!ir::IsFloat(data->dtype) && !onnx_ops::IsFoldable(data->dtype)) return nullptr;
  return std::make_shared<const Expression>(
      Expression{data->dtype, data->shape, 0, Expression::Constant{data, ElementMap(data->shape)}});
}

// The tensor of a Constant node; null for another one.
std::shared_ptr<const ir::TensorData> ConstantOf(const Node& node) {
  const ir::Arg* value = node.op == "Constant" ? FindAttribute(node, "value") : nullptr;
  const auto* data = value == nullptr ? nullptr : std::get_if<std::shared_ptr<const ir::TensorData>>(&value->v);
  return data == nullptr ? nullptr : *data;
}

ExpressionRef Spread(const ExpressionRef& whole, const Numbers& shape) {
  return whole == nullptr ? nullptr : Moved(whole, [&](ElementMap* map) { return map->Broadcast(shape); });
}

ExpressionRef Taken(const ExpressionRef& whole, size_t axis, const Numbers& indices) {
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

// Null when it would be too deep.
ExpressionRef Combined(ir::DType dtype, const Numbers& shape, auto form) {
  int depth = 0;
  for (const ExpressionRef& operand : form.operands) depth = std::max(depth, operand->depth + 1);
  if (depth > kMostDepth) return nullptr;
  return std::make_shared<const Expression>(Expression{dtype, shape, depth, std::move(form)});
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
  return Combined(dtype, shape, Expression::Chosen{std::move(shared), std::move(map), std::move(operands)});
}

bool IsProduct(const Expression& whole) {
  const auto* computed = std::get_if<Expression::Computed>(&whole.form);
  return computed != nullptr && ir::IsFloat(whole.dtype) && computed->node->op == "Mul";
}

// A node and the expressions that it takes.
struct Operation {
  const Node& node;
  std::vector<ExpressionRef> inputs;
  Numbers shape;  // of the result
  ir::DType dtype;

  const ExpressionRef& data() const { return inputs[0]; }
  std::optional<Numbers> Ints(size_t position) const {
    return position < inputs.size() ? ReadAll(inputs[position]) : std::nullopt;
  }
  // The axis of an attribute, which ONNX's inference has checked.
  size_t Axis(size_t rank) const {
    const int64_t axis = IntAttribute(node, "axis", 0);
    return static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(rank) : axis);
  }
};

ExpressionRef Reshaped(const Operation& made) {
  return Moved(made.data(), [&](ElementMap* map) { return map->Reshape(made.shape); });
}

ExpressionRef Identity(const Operation& made) { return made.data(); }

ExpressionRef Expand(const Operation& made) { return Spread(made.data(), made.shape); }

ExpressionRef Transpose(const Operation& made) {
  const auto perm = onnx_ops::PermOf(made.node, made.data()->shape.size());
  return perm ? Moved(made.data(), [&](ElementMap* map) { return map->Transpose(*perm), true; }) : nullptr;
}

ExpressionRef Tile(const Operation& made) {
  const Numbers before = made.data()->shape;
  ExpressionRef result = made.data();
  for (size_t axis = 0; result != nullptr && axis < before.size(); ++axis) {
    Numbers indices = Counted(made.shape[axis]);
    for (int64_t& index : indices) index %= before[axis];
    result = Taken(result, axis, indices);
  }
  return result;
}

// How many are taken, the result's shape says.
ExpressionRef Slice(const Operation& made) {
  const auto starts = made.Ints(1);
  const auto axes = made.inputs.size() > 3 ? made.Ints(3) : Counted(starts ? std::ssize(*starts) : 0);
  const auto steps =
      made.inputs.size() > 4 ? made.Ints(4) : std::optional(Numbers(starts ? starts->size() : 0, int64_t{1}));
  if (!starts || !axes || !steps || axes->size() != starts->size() || steps->size() != starts->size()) return nullptr;
  ExpressionRef result = made.data();
  for (size_t i = 0; result != nullptr && i < starts->size(); ++i) {
    const auto axis = static_cast<size_t>((*axes)[i] < 0 ? (*axes)[i] + std::ssize(made.shape) : (*axes)[i]);
    const int64_t size = result->shape[axis];
    const int64_t start = (*starts)[i] < 0 ? std::max<int64_t>((*starts)[i], -size) + size : (*starts)[i];
    const Numbers indices = Counted(made.shape[axis], std::min(start, size - 1), (*steps)[i]);
    const auto [least, largest] = std::ranges::minmax(indices);
    if (least < 0 || largest >= size) return nullptr;
    result = Taken(result, axis, indices);
  }
  return result;
}

// The shape of the indices takes the place of the axis.
ExpressionRef Gather(const Operation& made) {
  const size_t axis = made.Axis(made.data()->shape.size());
  const auto indices = FromFront(made.Ints(1), made.data()->shape[axis]);
  if (!indices) return nullptr;
  const ExpressionRef taken = Taken(made.data(), axis, *indices);
  return Moved(taken, [&](ElementMap* map) { return map->Reshape(made.shape); });
}

// Beyond a part its first element stands for others, which nobody chooses.
ExpressionRef Concat(const Operation& made) {
  const size_t axis = made.Axis(made.shape.size());
  std::vector<ExpressionRef> operands;
  std::vector<size_t> choices;
  for (const ExpressionRef& part : made.inputs) {
    const int64_t size = part->shape[axis];
    Numbers indices(static_cast<size_t>(made.shape[axis]));
    std::iota(indices.begin() + std::ssize(choices), indices.begin() + std::ssize(choices) + size, 0);
    choices.insert(choices.end(), static_cast<size_t>(size), operands.size());
    operands.push_back(Taken(part, axis, indices));
  }
  return Choice(made.shape, axis, std::move(choices), std::move(operands));
}

// Rows that others are written to, as `x[:, i::8] = y` is: the index must be the same for all elements of a row.
ExpressionRef ScatterElements(const Operation& made) {
  if (FindAttribute(made.node, "reduction") != nullptr) return nullptr;
  const size_t axis = made.Axis(made.shape.size());
  const ExpressionRef& updates = made.inputs[2];
  Numbers rows = made.shape;
  rows[axis] = updates->shape[axis];
  if (rows[axis] > made.shape[axis] || updates->shape != rows || made.inputs[1]->shape != rows) return nullptr;
  const auto indices = FromFront(ReadAlong(made.inputs[1], axis), made.shape[axis]);
  if (!indices) return nullptr;
  // Which of the updates a row takes; of those that take none, any. With a step the neighbours take the same one, so
  // that the axis can be cut at multiples of it.
  const int64_t step = made.shape[axis] / rows[axis];
  Numbers written = Counted(made.shape[axis]);
  for (int64_t& row : written) row = std::min(row / step, rows[axis] - 1);
  std::vector<size_t> choices(written.size());
  for (size_t i = 0; i < indices->size(); ++i) {
    const auto at = static_cast<size_t>((*indices)[i]);
    if (std::exchange(choices[at], 1) == 1) return nullptr;  // which of two stays is the runtime's
    written[at] = static_cast<int64_t>(i);
  }
  return Choice(made.shape, axis, std::move(choices), {made.data(), Taken(updates, axis, written)});
}

struct Mover {
  std::string_view op;
  ExpressionRef (*make)(const Operation& made);
};
// Of the inputs that an operator takes beside what it moves, each is one of integers that are known, or a shape that
// the result has.
constexpr Mover kMovers[] = {
    {"Concat", Concat},     {"Expand", Expand},       {"Gather", Gather},
    {"Identity", Identity}, {"Slice", Slice},         {"ScatterElements", ScatterElements},
    {"Tile", Tile},         {"Transpose", Transpose},
};

ExpressionRef (*MoverOf(const Node& node))(const Operation& made) {
  if (onnx_ops::Find(node.op).form == onnx_ops::Form::kView) return Reshaped;
  const auto* found = std::ranges::find(kMovers, node.op.text(), &Mover::op);
  return found == std::end(kMovers) ? nullptr : found->make;
}

// Floats that are integers are added, subtracted and cast as integers are, as long as they are exact.
bool IsComputed(const Operation& made) {
  const onnx_ops::OpFacts& facts = onnx_ops::Find(made.node.op);
  if (facts.form != onnx_ops::Form::kElementwise) return false;
  if (std::ranges::any_of(made.inputs, [](const ExpressionRef& input) { return IsProduct(*input); })) return false;
  if (made.node.op == "Cast") return true;
  const auto is_float = [](const ExpressionRef& input) { return ir::IsFloat(input->dtype); };
  if (std::ranges::none_of(made.inputs, is_float)) return onnx_ops::IsFoldable(made.dtype);
  return ir::IsFloat(made.dtype) && (made.node.op == "Add" || made.node.op == "Sub" || made.node.op == "Mul");
}

ExpressionRef Computed(const Operation& made) {
  auto node = std::make_shared<Node>();
  node->op = made.node.op;
  node->attributes = made.node.attributes;
  std::vector<ExpressionRef> operands;
  for (const ExpressionRef& input : made.inputs) {
    operands.push_back(Spread(input, made.shape));
    if (operands.back() == nullptr) return nullptr;
  }
  return Combined(made.dtype, made.shape, Expression::Computed{std::move(node), std::move(operands)});
}

// Expressions share parts, and so do those that they become.
class Movement {
 public:
  explicit Movement(const std::function<bool(ElementMap*)>& move) : move_(move) {}

  ExpressionRef Of(const ExpressionRef& whole) {
    if (const auto found = moved_.find(whole.get()); found != moved_.end()) return found->second;
    Expression copy = *whole;
    const bool fits = std::visit([this, &copy](auto& form) { return Move(&form, &copy.shape); }, copy.form);
    ExpressionRef result = fits ? std::make_shared<const Expression>(std::move(copy)) : nullptr;
    moved_.emplace(whole.get(), result);
    return result;
  }

 private:
  bool Move(Expression::Constant* constant, Numbers* shape) {
    if (!move_(&constant->map)) return false;
    *shape = constant->map.Shape();
    return true;
  }
  bool Move(Expression::Computed* computed, Numbers* shape) { return MoveAll(&computed->operands, shape); }
  bool Move(Expression::Chosen* chosen, Numbers* shape) {
    return move_(&chosen->map) && MoveAll(&chosen->operands, shape);
  }
  bool MoveAll(std::vector<ExpressionRef>* operands, Numbers* shape) {
    for (ExpressionRef& operand : *operands) {
      operand = Of(operand);
      if (operand == nullptr) return false;
      *shape = operand->shape;
    }
    return true;
  }

  const std::function<bool(ElementMap*)>& move_;
  std::unordered_map<const Expression*, ExpressionRef> moved_;
};

}  // namespace

std::span<const ExpressionRef> OperandsOf(const Expression& whole) {
  if (const auto* computed = std::get_if<Expression::Computed>(&whole.form)) return computed->operands;
  if (const auto* chosen = std::get_if<Expression::Chosen>(&whole.form)) return chosen->operands;
  return {};
}

ExpressionRef Moved(const ExpressionRef& whole, const std::function<bool(ElementMap* map)>& move) {
  return Movement(move).Of(whole);
}

ConstantExpressions::ConstantExpressions(const ir::Graph& graph) : graph_(graph) {
  for (const ir::Weight& weight : graph.weights) weights_.emplace(weight.value, weight.data);
  for (const Node& node : graph.body.nodes) {
    if (const auto data = ConstantOf(node)) weights_.emplace(node.outputs[0], data);
  }
  for (const Node& node : graph.body.nodes) Make(node);
}

ExpressionRef ConstantExpressions::Find(ValueId id) {
  if (const auto found = made_.find(id); found != made_.end()) return found->second;
  const auto weight = weights_.find(id);
  if (weight == weights_.end()) return nullptr;
  return made_.emplace(id, MakeConstant(weight->second)).first->second;
}

const ir::TensorData* ConstantExpressions::DataOf(ValueId id) const {
  const auto found = weights_.find(id);
  return found == weights_.end() ? nullptr : found->second.get();
}

void ConstantExpressions::Make(const Node& node) {
  const auto mover = MoverOf(node);
  if ((mover == nullptr && onnx_ops::Find(node.op).form != onnx_ops::Form::kElementwise) || node.inputs.empty() ||
      node.outputs.size() != 1 || node.outputs[0] == ValueId::kNone)
    return;
  const ir::Value& value = graph_.value(node.outputs[0]);
  const auto shape = ShapeOf(value);
  Operation made = {.node = node, .inputs = {}, .shape = shape.value_or(Numbers()), .dtype = value.dtype};
  for (const ir::Arg& input : node.inputs) {
    made.inputs.push_back(input.value() == nullptr ? nullptr : Find(*input.value()));
    if (made.inputs.back() == nullptr) return;
  }
  if (!shape) return;
  ExpressionRef result = mover != nullptr ? mover(made) : IsComputed(made) ? Computed(made) : nullptr;
  // Inference says the shape, and the maps do; they agree, or one of them is not to be relied on.
  if (result != nullptr && result->shape == *shape) made_.emplace(node.outputs[0], std::move(result));
}

}  // namespace onnxport::passes
