#include "runtime/ir/read_node.h"

#include <algorithm>

namespace onnxport::ir {

const Arg* FindAttribute(const Node& node, std::string_view name) {
  const auto found = std::ranges::find(node.attributes, name, &Attribute::name);
  return found == node.attributes.end() ? nullptr : &found->value;
}

int64_t IntAttribute(const Node& node, std::string_view name, int64_t otherwise) {
  const Arg* attribute = FindAttribute(node, name);
  if (attribute == nullptr) return otherwise;
  if (const auto* number = std::get_if<int64_t>(&attribute->v)) return *number;
  if (const auto* flag = std::get_if<bool>(&attribute->v)) return *flag;
  // `to` of a Cast: our dtypes have ONNX's numbers.
  if (const auto* dtype = std::get_if<DType>(&attribute->v)) return static_cast<int64_t>(*dtype);
  return otherwise;
}

std::optional<std::vector<int64_t>> IntsAttribute(const Node& node, std::string_view name) {
  const Arg* attribute = FindAttribute(node, name);
  if (attribute == nullptr || attribute->list() == nullptr) return std::nullopt;
  std::vector<int64_t> ints;
  for (const Arg& element : *attribute->list()) {
    const auto* number = std::get_if<int64_t>(&element.v);
    if (number == nullptr) return std::nullopt;
    ints.push_back(*number);
  }
  return ints;
}

std::shared_ptr<const TensorData> ConstantTensor(const Node& node) {
  const Arg* value = node.op == "Constant" ? FindAttribute(node, "value") : nullptr;
  const auto* data = value == nullptr ? nullptr : std::get_if<std::shared_ptr<const TensorData>>(&value->v);
  return data == nullptr ? nullptr : *data;
}

ValueId InputAt(const Node& node, size_t position) {
  if (position >= node.inputs.size() || node.inputs[position].value() == nullptr) return ValueId::kNone;
  return *node.inputs[position].value();
}

}  // namespace onnxport::ir
