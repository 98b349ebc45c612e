#include "runtime/serializer/onnx_text.h"

#include <fmt/core.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>

#include <algorithm>
#include <cstddef>
#include <span>

#include "onnx/common/version.h"
#include "onnx/defs/printer.h"
#include "onnx/onnx_pb.h"
#include "runtime/base/error.h"
#include "runtime/base/interruption.h"

namespace onnxport::serializer {
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

// Hands the bytes to protobuf, block by block.
class Blocks : public google::protobuf::io::CopyingInputStream {
 public:
  explicit Blocks(const archive::ByteSource& source) : source_(source) {}
  int Read(void* buffer, int size) override {
    Interruption::Check();
    const size_t count = std::min(static_cast<uint64_t>(size), source_.size() - at_);
    source_.ReadAt(at_, {static_cast<std::byte*>(buffer), count});
    at_ += count;
    return static_cast<int>(count);
  }

 private:
  const archive::ByteSource& source_;
  uint64_t at_ = 0;
};

onnx::ModelProto Parse(const archive::ByteSource& source) {
  Blocks blocks(source);
  google::protobuf::io::CopyingInputStreamAdaptor stream(&blocks);
  onnx::ModelProto model;
  if (!model.ParseFromZeroCopyStream(&stream) || model.ir_version() == 0 || !model.has_graph()) {
    throw Error(ErrorKind::kBadInput, source.name() + ": neither an ONNX model nor an archive of torch.export");
  }
  return model;
}

}  // namespace

std::string OnnxToText(const archive::ByteSource& source) {
  onnx::ModelProto model = Parse(source);
  Elide(model.mutable_graph());
  try {
    return onnx::ProtoToString(model) + "\n";
  } catch (const std::exception& error) {
    throw Error(ErrorKind::kBadInput, fmt::format("{}: cannot be shown: {}", source.name(), error.what()));
  }
}

std::string OnnxVersion() { return onnx::LAST_RELEASE_VERSION; }

}  // namespace onnxport::serializer
