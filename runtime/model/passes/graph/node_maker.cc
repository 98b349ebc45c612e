#include "runtime/model/passes/graph/node_maker.h"

#include <algorithm>
#include <utility>

#include "runtime/model/passes/graph/reshape_shape.h"
#include "runtime/onnx/known_tensor.h"
#include "runtime/onnx/permutation.h"

namespace onnxport::passes {

using ir::Dim;
using ir::Dims;
using ir::DType;
using ir::Node;
using ir::ValueId;

Node NewNode(std::string_view op, const std::vector<ValueId>& inputs, std::vector<ir::Attribute> attributes) {
  Node node;
  node.op = op;
  for (const ValueId input : inputs) node.inputs.push_back({input});
  node.attributes = std::move(attributes);
  return node;
}

void NodeMaker::GoTo(size_t index, size_t from) {
  at_ = index;
  location_ = graph_->body.nodes[from].location;
}

ValueId NodeMaker::NewValue(DType dtype, std::optional<Dims> dims) {
  ir::Value value;
  value.dtype = dtype;
  value.dims = std::move(dims);
  return graph_->AddValue(std::move(value));
}

ValueId NodeMaker::Make(std::string_view op, const std::vector<ValueId>& inputs, DType dtype, std::optional<Dims> dims,
                        std::vector<ir::Attribute> attributes) {
  return Make(NewNode(op, inputs, std::move(attributes)), dtype, std::move(dims));
}

ValueId NodeMaker::Make(Node node, DType dtype, std::optional<Dims> dims) {
  const ValueId id = NewValue(dtype, std::move(dims));
  node.outputs = {id};
  Put(std::move(node));
  return id;
}

void NodeMaker::Put(Node node) {
  node.location = location_;
  insertions_.Before(at_, std::move(node));
}

ValueId NodeMaker::Make(std::string_view op, const std::vector<ValueId>& inputs, Dims dims) {
  return Make(op, inputs, graph_->value(inputs[0]).dtype, std::move(dims));
}

ValueId NodeMaker::Cast(ValueId id, DType to) {
  return Make("Cast", {id}, to, graph_->value(id).dims, {{"to", {static_cast<int64_t>(to)}}});
}

ValueId NodeMaker::Ints(const std::vector<int64_t>& ints) {
  return insertions_.Before(at_, IntsConstant(ints, location_, graph_)).outputs[0];
}

ValueId NodeMaker::Float(double number) {
  const onnx_ops::KnownTensor tensor = {DType::kFloat32, {}, {onnx_ops::FromFloat(static_cast<float>(number))}};
  return Make("Constant", {}, DType::kFloat32, Dims(), {{"value", {ToTensorData(tensor)}}});
}

ValueId NodeMaker::Size(ValueId of, int64_t axis) {
  return Make("Shape", {of}, DType::kInt64, Dims{1}, {{"start", {axis}}, {"end", {axis + 1}}});
}

ValueId NodeMaker::Shape(const Dims& dims, ValueId of, const std::vector<int64_t>& axes) {
  std::vector<ValueId> parts;
  std::vector<int64_t> numbers;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i].is_number()) {
      numbers.push_back(dims[i].number());
      continue;
    }
    if (!numbers.empty()) parts.push_back(Ints(std::exchange(numbers, {})));
    parts.push_back(Size(of, axes[i]));
  }
  if (!numbers.empty()) parts.push_back(Ints(numbers));
  if (parts.size() == 1) return parts[0];
  return Make("Concat", parts, DType::kInt64, Dims{static_cast<int64_t>(dims.size())}, {{"axis", {int64_t{0}}}});
}

ValueId NodeMaker::Transposed(ValueId x, const std::vector<int64_t>& perm) {
  if (std::ranges::is_sorted(perm)) return x;
  const Dims& dims = *graph_->value(x).dims;
  Dims turned;
  for (const int64_t axis : perm) turned.push_back(dims[static_cast<size_t>(axis)]);
  return Make("Transpose", {x}, graph_->value(x).dtype, std::move(turned), {{"perm", onnx_ops::ToArg(perm)}});
}

}  // namespace onnxport::passes
