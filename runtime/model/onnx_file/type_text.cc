#include "runtime/model/onnx_file/type_text.h"

#include <exception>
#include <new>

#include "runtime/base/error.h"
#include "runtime/ir/dtype.h"
#include "runtime/model/onnx_file/guarded_inference.h"

namespace onnxport::onnx_file {
namespace {

std::string DimText(const onnx::TensorShapeProto::Dimension& dim) {
  if (dim.has_dim_value()) return std::to_string(dim.dim_value());
  return dim.has_dim_param() && !dim.dim_param().empty() ? dim.dim_param() : "?";
}

}  // namespace

std::string TypeText(const onnx::TypeProto& type) {
  if (type.has_sequence_type()) return "sequence of " + TypeText(type.sequence_type().elem_type());
  if (type.has_optional_type()) return "optional " + TypeText(type.optional_type().elem_type());
  if (!type.has_tensor_type()) return "";
  const auto& tensor = type.tensor_type();
  std::string text(ir::Name(ir::DTypeOfNumber(tensor.elem_type())));
  if (!tensor.has_shape()) return text;
  text += '[';
  for (int i = 0; i < tensor.shape().dim_size(); ++i) text += (i > 0 ? "," : "") + DimText(tensor.shape().dim(i));
  return text + "]";
}

std::map<std::string, std::string> InferTypes(onnx::ModelProto* model, const std::string& file) {
  try {
    // Not strict: if inference does not know a node, the others still get their types. With data propagation, so that a
    // Reshape by a computed shape has a type.
    const onnx::ShapeInferenceOptions options(/*check_type_val=*/false, /*strict_mode_val=*/0, /*data_prop_val=*/true);
    InferShapes(model, file, options);
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {
    // A model that contradicts itself keeps the types that it states.
  }
  std::map<std::string, std::string> types;
  const auto& graph = model->graph();
  for (const auto* list : {&graph.value_info(), &graph.input(), &graph.output()}) {
    for (const auto& value : *list) types[value.name()] = TypeText(value.type());
  }
  return types;
}

std::map<std::string, std::string> TypesOf(const onnx::FunctionProto& function) {
  std::map<std::string, std::string> types;
  for (const auto& value : function.value_info()) types[value.name()] = TypeText(value.type());
  return types;
}

}  // namespace onnxport::onnx_file
