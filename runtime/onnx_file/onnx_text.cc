#include "runtime/onnx_file/onnx_text.h"

#include <fmt/core.h>

#include "onnx/common/version.h"
#include "onnx/defs/printer.h"
#include "onnx/onnx_pb.h"
#include "runtime/base/error.h"
#include "runtime/onnx_file/read_model.h"

namespace onnxport::onnx_file {
namespace {

constexpr int64_t kMostShownElements = 16;

int64_t ElementCount(const onnx::TensorProto& tensor) {
  int64_t count = 1;
  for (const int64_t dim : tensor.dims()) {
    if (__builtin_mul_overflow(count, dim, &count)) return INT64_MAX;
  }
  return count;
}

// The printer shows the location of external data in place of elements; the size takes that place.
void Elide(onnx::TensorProto* tensor) {
  if (tensor->data_location() == onnx::TensorProto::EXTERNAL || ElementCount(*tensor) <= kMostShownElements) return;
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

// As deep as the file could be parsed: protobuf's own limit of 100 messages.
void Elide(onnx::GraphProto* graph) {
  for (onnx::TensorProto& tensor : *graph->mutable_initializer()) Elide(&tensor);
  for (onnx::NodeProto& node : *graph->mutable_node()) {
    for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
      if (attribute.has_t()) Elide(attribute.mutable_t());
      if (attribute.has_g()) Elide(attribute.mutable_g());
    }
  }
}

}  // namespace

std::string OnnxToText(const archive::ByteSource& source) {
  onnx::ModelProto model = ReadModel(source);
  Elide(model.mutable_graph());
  try {
    return onnx::ProtoToString(model) + "\n";
  } catch (const std::exception& error) {
    throw Error(ErrorKind::kBadInput, fmt::format("{}: cannot be shown: {}", source.name(), error.what()));
  }
}

std::string OnnxVersion() { return onnx::LAST_RELEASE_VERSION; }

}  // namespace onnxport::onnx_file
