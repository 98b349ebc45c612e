#include "runtime/model/serializer/tensor_proto.h"

#include <fmt/core.h>

#include <string_view>

#include "runtime/base/error.h"
#include "runtime/ir/packed_dtype.h"

namespace onnxport::serializer {

void FillTensor(const ir::TensorData& data, const std::string& name, onnx::TensorProto* proto) {
  for (const int64_t dim : data.shape) proto->add_dims(dim);
  proto->set_data_type(static_cast<int>(data.dtype));
  if (!name.empty()) proto->set_name(name);
}

std::string TensorHeader(const ir::Graph& graph, const ir::Weight& weight, const External* external) {
  onnx::TensorProto proto;
  FillTensor(*weight.data, graph.value(weight.value).name, &proto);
  if (external != nullptr) {
    const auto add = [&proto](std::string_view key, const std::string& value) {
      auto* entry = proto.add_external_data();
      entry->set_key(std::string(key));
      entry->set_value(value);
    };
    add("location", external->file);
    add("offset", fmt::format("{}", external->offset));
    add("length", fmt::format("{}", external->length));
    proto.set_data_location(onnx::TensorProto::EXTERNAL);
  }
  return proto.SerializeAsString();
}

int64_t ByteCount(const ir::TensorData& data) {
  const int64_t item = ir::IsPacked(data.dtype) ? 1 : ir::ByteSize(data.dtype);
  if (item == 0)
    throw Error(ErrorKind::kCannotExport, fmt::format("a weight of type {} cannot be stored", ir::Name(data.dtype)));
  int64_t count = item;
  for (const int64_t dim : data.shape) {
    if (dim < 0 || __builtin_mul_overflow(count, dim, &count)) {
      throw Error(ErrorKind::kBadInput, fmt::format("a tensor dimension of {} is negative or too large", dim));
    }
  }
  return ir::StoredBytes(data.dtype, count / item);
}

void StreamChecked(const ir::TensorData& data, const std::string& name, const ir::ByteSink& sink) {
  const int64_t wanted = ByteCount(data);
  int64_t seen = 0;
  data.bytes->Stream([&](std::span<const std::byte> piece) {
    seen += static_cast<int64_t>(piece.size());
    // A weight that is too long must not run over what is reserved for it; that it is too long is said after the last
    // piece.
    if (seen <= wanted) sink(piece);
  });
  if (seen != wanted) {
    throw Error(ErrorKind::kBadInput, fmt::format("`{}` has {} bytes; its type and shape need {}", name, seen, wanted));
  }
}

}  // namespace onnxport::serializer
