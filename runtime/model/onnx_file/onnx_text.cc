#include "runtime/model/onnx_file/onnx_text.h"

#include <fmt/core.h>

#include <map>
#include <utility>

#include "onnx/common/version.h"
#include "onnx/defs/printer.h"
#include "onnx/onnx_pb.h"
#include "runtime/base/error.h"
#include "runtime/base/interruption.h"
#include "runtime/base/text.h"
#include "runtime/model/onnx_file/read_model.h"
#include "runtime/model/onnx_file/type_text.h"
#include "runtime/model/onnx_file/visible_names.h"

namespace onnxport::onnx_file {
namespace {

constexpr int64_t kMostShownElements = 16;

// Returns more than any limit if the product overflows.
int64_t ElementCount(const onnx::TensorProto& tensor) {
  int64_t count = 1;
  for (const int64_t dim : tensor.dims()) {
    if (__builtin_mul_overflow(count, dim, &count)) return INT64_MAX;
  }
  return count;
}

// The printer shows the location of external data instead of elements, so the size is stored there.
void Elide(onnx::TensorProto* tensor) {
  if (tensor->data_location() == onnx::TensorProto::EXTERNAL || ElementCount(*tensor) <= kMostShownElements) return;
  // Before it is replaced. It includes the bytes of name and dims, which does not matter for a long weight.
  const size_t bytes = tensor->ByteSizeLong();
  onnx::TensorProto shown;
  *shown.mutable_dims() = tensor->dims();
  shown.set_data_type(tensor->data_type());
  shown.set_name(tensor->name());
  shown.set_data_location(onnx::TensorProto::EXTERNAL);
  auto* entry = shown.add_external_data();
  entry->set_key("not shown");
  entry->set_value(fmt::format("{} bytes", bytes));
  *tensor = std::move(shown);
}

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

void Elide(onnx::GraphProto* graph);

// As deep as the file could be parsed: protobuf's own limit of 100 messages.
void Elide(Nodes* nodes) {
  for (onnx::NodeProto& node : *nodes) {
    for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
      if (attribute.has_t()) Elide(attribute.mutable_t());
      if (attribute.has_g()) Elide(attribute.mutable_g());
    }
  }
}

void Elide(onnx::GraphProto* graph) {
  for (onnx::TensorProto& tensor : *graph->mutable_initializer()) Elide(&tensor);
  Elide(graph->mutable_node());
}

// Prints a node in ONNX's text form, followed by a comment with its results.
std::string NodeText(const onnx::NodeProto& node, const std::map<std::string, std::string>& types) {
  Interruption::Check();
  std::string text = onnx::ProtoToString(node);
  while (text.ends_with('\n')) text.pop_back();
  const char* before = "  # ";
  for (const std::string& output : node.output()) {
    const auto type = types.find(output);
    if (type == types.end() || type->second.empty()) continue;
    text += std::exchange(before, ", ") + type->second;
  }
  return text + "\n";
}

// Prints a graph or function. The printer lists types of values separately from the nodes, so it gets the nodes one by
// one.
template <typename Proto>
std::string TextWith(const Proto& without_nodes, const Nodes& nodes, const std::map<std::string, std::string>& types) {
  // It ends with the "}" of an empty list of nodes; the nodes are inserted before that.
  std::string text = onnx::ProtoToString(without_nodes);
  text.resize(text.rfind('}'));
  for (const onnx::NodeProto& node : nodes) text += NodeText(node, types);
  return text + "}\n";
}

std::string ToText(onnx::ModelProto model, const std::map<std::string, std::string>& types) {
  Nodes nodes;
  nodes.Swap(model.mutable_graph()->mutable_node());
  // The types are already printed after the nodes.
  model.mutable_graph()->clear_value_info();
  google::protobuf::RepeatedPtrField<onnx::FunctionProto> functions;
  functions.Swap(model.mutable_functions());
  std::string text = TextWith(model, nodes, types);
  for (onnx::FunctionProto& function : functions) {
    const std::map<std::string, std::string> own = TypesOf(function);
    function.clear_value_info();
    nodes.Clear();
    nodes.Swap(function.mutable_node());
    Elide(&nodes);
    text += TextWith(function, nodes, own);
  }
  return text;
}

}  // namespace

std::string OnnxToText(const archive::ByteSource& source) {
  onnx::ModelProto model = ReadModel(source);
  std::map<std::string, std::string> types;
  for (const auto& [name, type] : InferTypes(&model, source.name()))
    types.emplace(VisibleLine(name), VisibleLine(type));
  Elide(model.mutable_graph());
  MakeNamesVisible(&model);
  try {
    return ToText(std::move(model), types);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(Code::kBadOnnxFile, fmt::format("{}: cannot be shown: {}", source.name(), error.what()));
  }
}

std::string OnnxVersion() { return onnx::LAST_RELEASE_VERSION; }

}  // namespace onnxport::onnx_file
