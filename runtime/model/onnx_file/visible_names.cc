#include "runtime/model/onnx_file/visible_names.h"

#include <string>
#include <utility>

#include "runtime/base/text.h"

namespace onnxport::onnx_file {
namespace {

// Protobuf's lite messages do not tell their fields, so each text is named. As deep as the file could be parsed:
// protobuf's own limit of 100 messages.

void Mend(std::string* text) {
  std::string visible = VisibleLine(*text);
  if (visible != *text) *text = std::move(visible);
}

// Only if the text exists: to ask for a mutable one would create it.
template <typename Message>
void Mend(Message* message, bool (Message::*has)() const, std::string* (Message::*text)()) {
  if ((message->*has)()) Mend((message->*text)());
}

template <typename Texts>
void MendAll(Texts* texts) {
  for (std::string& text : *texts) Mend(&text);
}

void Mend(onnx::GraphProto* graph);

void Mend(onnx::StringStringEntryProto* entry) {
  Mend(entry, &onnx::StringStringEntryProto::has_key, &onnx::StringStringEntryProto::mutable_key);
  Mend(entry, &onnx::StringStringEntryProto::has_value, &onnx::StringStringEntryProto::mutable_value);
}

void Mend(onnx::OperatorSetIdProto* import) {
  Mend(import, &onnx::OperatorSetIdProto::has_domain, &onnx::OperatorSetIdProto::mutable_domain);
}

void Mend(onnx::TensorShapeProto* shape) {
  for (auto& dim : *shape->mutable_dim()) {
    if (dim.has_dim_param()) Mend(dim.mutable_dim_param());
    if (dim.has_denotation()) Mend(dim.mutable_denotation());
  }
}

void Mend(onnx::TypeProto* type) {
  Mend(type, &onnx::TypeProto::has_denotation, &onnx::TypeProto::mutable_denotation);
  if (type->has_tensor_type() && type->tensor_type().has_shape()) Mend(type->mutable_tensor_type()->mutable_shape());
  if (type->has_sparse_tensor_type() && type->sparse_tensor_type().has_shape()) {
    Mend(type->mutable_sparse_tensor_type()->mutable_shape());
  }
  if (type->has_sequence_type()) Mend(type->mutable_sequence_type()->mutable_elem_type());
  if (type->has_optional_type()) Mend(type->mutable_optional_type()->mutable_elem_type());
  if (type->has_map_type()) Mend(type->mutable_map_type()->mutable_value_type());
}

void Mend(onnx::ValueInfoProto* value) {
  Mend(value, &onnx::ValueInfoProto::has_name, &onnx::ValueInfoProto::mutable_name);
  Mend(value, &onnx::ValueInfoProto::has_doc_string, &onnx::ValueInfoProto::mutable_doc_string);
  if (value->has_type()) Mend(value->mutable_type());
}

void Mend(onnx::TensorProto* tensor) {
  Mend(tensor, &onnx::TensorProto::has_name, &onnx::TensorProto::mutable_name);
  Mend(tensor, &onnx::TensorProto::has_doc_string, &onnx::TensorProto::mutable_doc_string);
  for (auto& entry : *tensor->mutable_external_data()) Mend(&entry);
  MendAll(tensor->mutable_string_data());
}

void Mend(onnx::AttributeProto* attribute) {
  Mend(attribute, &onnx::AttributeProto::has_name, &onnx::AttributeProto::mutable_name);
  Mend(attribute, &onnx::AttributeProto::has_ref_attr_name, &onnx::AttributeProto::mutable_ref_attr_name);
  Mend(attribute, &onnx::AttributeProto::has_doc_string, &onnx::AttributeProto::mutable_doc_string);
  Mend(attribute, &onnx::AttributeProto::has_s, &onnx::AttributeProto::mutable_s);
  MendAll(attribute->mutable_strings());
  if (attribute->has_t()) Mend(attribute->mutable_t());
  for (auto& tensor : *attribute->mutable_tensors()) Mend(&tensor);
  if (attribute->has_g()) Mend(attribute->mutable_g());
  for (auto& graph : *attribute->mutable_graphs()) Mend(&graph);
  if (attribute->has_tp()) Mend(attribute->mutable_tp());
  for (auto& type : *attribute->mutable_type_protos()) Mend(&type);
}

void Mend(onnx::NodeProto* node) {
  MendAll(node->mutable_input());
  MendAll(node->mutable_output());
  Mend(node, &onnx::NodeProto::has_name, &onnx::NodeProto::mutable_name);
  Mend(node, &onnx::NodeProto::has_op_type, &onnx::NodeProto::mutable_op_type);
  Mend(node, &onnx::NodeProto::has_domain, &onnx::NodeProto::mutable_domain);
  Mend(node, &onnx::NodeProto::has_overload, &onnx::NodeProto::mutable_overload);
  Mend(node, &onnx::NodeProto::has_doc_string, &onnx::NodeProto::mutable_doc_string);
  for (auto& attribute : *node->mutable_attribute()) Mend(&attribute);
  for (auto& entry : *node->mutable_metadata_props()) Mend(&entry);
}

void Mend(onnx::GraphProto* graph) {
  Mend(graph, &onnx::GraphProto::has_name, &onnx::GraphProto::mutable_name);
  Mend(graph, &onnx::GraphProto::has_doc_string, &onnx::GraphProto::mutable_doc_string);
  for (auto& node : *graph->mutable_node()) Mend(&node);
  for (auto& tensor : *graph->mutable_initializer()) Mend(&tensor);
  for (auto& tensor : *graph->mutable_sparse_initializer()) Mend(tensor.mutable_values());
  for (auto* values : {graph->mutable_input(), graph->mutable_output(), graph->mutable_value_info()}) {
    for (auto& value : *values) Mend(&value);
  }
  for (auto& entry : *graph->mutable_metadata_props()) Mend(&entry);
}

void Mend(onnx::FunctionProto* function) {
  Mend(function, &onnx::FunctionProto::has_name, &onnx::FunctionProto::mutable_name);
  Mend(function, &onnx::FunctionProto::has_domain, &onnx::FunctionProto::mutable_domain);
  Mend(function, &onnx::FunctionProto::has_overload, &onnx::FunctionProto::mutable_overload);
  Mend(function, &onnx::FunctionProto::has_doc_string, &onnx::FunctionProto::mutable_doc_string);
  MendAll(function->mutable_input());
  MendAll(function->mutable_output());
  MendAll(function->mutable_attribute());
  for (auto& attribute : *function->mutable_attribute_proto()) Mend(&attribute);
  for (auto& import : *function->mutable_opset_import()) Mend(&import);
  for (auto& node : *function->mutable_node()) Mend(&node);
  for (auto& value : *function->mutable_value_info()) Mend(&value);
  for (auto& entry : *function->mutable_metadata_props()) Mend(&entry);
}

}  // namespace

void MakeNamesVisible(onnx::ModelProto* model) {
  Mend(model, &onnx::ModelProto::has_producer_name, &onnx::ModelProto::mutable_producer_name);
  Mend(model, &onnx::ModelProto::has_producer_version, &onnx::ModelProto::mutable_producer_version);
  Mend(model, &onnx::ModelProto::has_domain, &onnx::ModelProto::mutable_domain);
  Mend(model, &onnx::ModelProto::has_doc_string, &onnx::ModelProto::mutable_doc_string);
  for (auto& import : *model->mutable_opset_import()) Mend(&import);
  for (auto& entry : *model->mutable_metadata_props()) Mend(&entry);
  for (auto& function : *model->mutable_functions()) Mend(&function);
  Mend(model->mutable_graph());
}

}  // namespace onnxport::onnx_file
