#include "runtime/model/passes/packed/constant_expression.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/ir/read_node.h"
#include "runtime/model/passes/packed/move_expression.h"
#include "runtime/onnx/known_tensor.h"
#include "runtime/onnx/op_facts.h"

namespace onnxport::passes {
namespace {

using ir::Node;
using ir::ValueId;
using Numbers = ElementMap::Numbers;

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

bool IsProduct(const Expression& whole) {
  const auto* computed = std::get_if<Expression::Computed>(&whole.form);
  return computed != nullptr && ir::IsFloat(whole.dtype) && computed->node->op == "Mul";
}

// Floats that are integers are added, subtracted and cast like integers, while they are exact.
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
  return Combined({made.dtype, made.shape, 0, Expression::Computed{std::move(node), std::move(operands)}});
}

}  // namespace

ConstantExpressions::ConstantExpressions(const ir::Graph& graph) : graph_(graph) {
  for (const ir::Weight& weight : graph.weights) weights_.emplace(weight.value, weight.data);
  for (const Node& node : graph.body.nodes) {
    if (const auto data = ir::ConstantTensor(node)) weights_.emplace(node.outputs[0], data);
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
  const Mover mover = MoverOf(node);
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
  // Inference and the maps both give the shape. If they differ, one of them is wrong.
  if (result != nullptr && result->shape == *shape) made_.emplace(node.outputs[0], std::move(result));
}

}  // namespace onnxport::passes
