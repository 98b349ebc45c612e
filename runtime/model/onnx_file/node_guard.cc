#include "runtime/model/onnx_file/node_guard.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "onnx/defs/data_type_utils.h"
#include "runtime/onnx/einsum_equation.h"

namespace onnxport::onnx_file {
namespace {

using onnx::AttributeProto;
using onnx::OpSchema;

// The limit for elements of all inputs together. No shape has as many axes.
constexpr int64_t kMostElements = 1024;

[[noreturn]] void Fail(const OpSchema& schema, const std::string& what) {
  throw onnx::InferenceError(schema.Name() + " " + what);
}

void CheckCount(const OpSchema& schema, const char* what, size_t count, int least, int most) {
  if (static_cast<int64_t>(count) >= least && static_cast<int64_t>(count) <= most) return;
  Fail(schema, fmt::format("has {} {}", count, what));
}

bool HasContents(const AttributeProto& attribute) {
  if (attribute.type() == AttributeProto::TENSOR) return attribute.has_t();
  if (attribute.type() == AttributeProto::GRAPH) return attribute.has_g();
  if (attribute.type() == AttributeProto::SPARSE_TENSOR) return attribute.has_sparse_tensor();
  if (attribute.type() == AttributeProto::TYPE_PROTO) return attribute.has_tp();
  return true;
}

void CheckAttributes(const OpSchema& schema, const onnx::InferenceContext& node) {
  for (const auto& [name, formal] : schema.attributes()) {
    const AttributeProto* attribute = node.getAttribute(name);
    if (attribute == nullptr) {
      if (formal.required) Fail(schema, "lacks its attribute " + name);
    } else if (attribute->type() != formal.type || !HasContents(*attribute)) {
      Fail(schema, "has an attribute " + name + " of another type");
    }
  }
  // Inference divides by them.
  for (const char* name : {"kernel_shape", "strides", "dilations"}) {
    const AttributeProto* attribute = node.getAttribute(name);
    if (attribute != nullptr && std::ranges::any_of(attribute->ints(), [](int64_t size) { return size < 1; })) {
      Fail(schema, fmt::format("has {} below 1", name));
    }
  }
}

onnx::DataType TypeOf(const OpSchema& schema, const onnx::TypeProto& type) {
  try {
    return onnx::Utils::DataTypeUtils::ToType(type);
  } catch (const std::exception&) {
    Fail(schema, "has an input of a type that there is not");
  }
}

// A value without a type, or with elements without a type, was not inferred.
bool IsKnown(const onnx::TypeProto* type) {
  if (type == nullptr || type->value_case() == onnx::TypeProto::VALUE_NOT_SET) return false;
  return !type->has_tensor_type() || type->tensor_type().elem_type() != onnx::TensorProto::UNDEFINED;
}

void CheckInputs(const OpSchema& schema, const onnx::InferenceContext& node) {
  for (size_t i = 0; i < node.getNumInputs(); ++i) {
    const auto& formal = schema.inputs()[std::min(i, schema.inputs().size() - 1)];
    if (!node.hasInput(i) && formal.GetOption() == OpSchema::Single) Fail(schema, fmt::format("lacks input {}", i));
    const onnx::TypeProto* type = node.getInputType(i);
    if (!IsKnown(type) || formal.GetTypes().empty()) continue;
    const onnx::DataType seen = TypeOf(schema, *type);
    if (!formal.GetTypes().contains(seen)) Fail(schema, "does not take " + *seen);
  }
}

// The size of what has one axis; -1: not known.
int64_t LengthOf(const onnx::TypeProto* type) {
  if (type == nullptr || !type->has_tensor_type()) return -1;
  const auto& shape = type->tensor_type().shape();
  return shape.dim_size() == 1 && shape.dim(0).has_dim_value() ? shape.dim(0).dim_value() : -1;
}

// Inference of some opsets makes as many axes as a shape has elements.
void CheckShapes(const OpSchema& schema, const onnx::InferenceContext& node) {
  for (size_t i = 0; i < std::min(node.getNumInputs(), schema.inputs().size()); ++i) {
    if (schema.inputs()[i].GetName() == "shape" && LengthOf(node.getInputType(i)) > kMostElements) {
      Fail(schema, "has a shape of too many axes");
    }
  }
}

void CheckEinsum(const OpSchema& schema, const onnx::InferenceContext& node) {
  const std::string mistake = onnx_ops::EinsumMistake(node.getAttribute("equation")->s(), node.getNumInputs());
  if (!mistake.empty()) Fail(schema, "has a wrong equation: " + mistake);
}

}  // namespace

void CheckNode(const OpSchema& schema, onnx::InferenceContext& node) {
  CheckCount(schema, "inputs", node.getNumInputs(), schema.min_input(), schema.max_input());
  CheckCount(schema, "results", node.getNumOutputs(), schema.min_output(), schema.max_output());
  CheckAttributes(schema, node);
  CheckInputs(schema, node);
  CheckShapes(schema, node);
  if (schema.domain().empty() && schema.Name() == "Einsum") CheckEinsum(schema, node);
}

std::optional<int64_t> ElementsOf(onnx::DataPropagationContext& node) {
  int64_t elements = 0;
  for (size_t i = 0; i < node.getNumInputs(); ++i) {
    // First, because reading the data would make as many elements as the type states.
    if (LengthOf(node.getInputType(i)) > kMostElements) return std::nullopt;
    const onnx::TensorShapeProto* data = node.getInputData(i);
    elements += data == nullptr ? 0 : data->dim_size();
    if (elements > kMostElements) return std::nullopt;
  }
  return elements;
}

}  // namespace onnxport::onnx_file
