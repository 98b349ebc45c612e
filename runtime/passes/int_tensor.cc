#include "runtime/passes/int_tensor.h"

#include <cstring>
#include <span>
#include <string>
#include <utility>

namespace onnxport::passes {

using ir::DType;

bool IsFoldable(DType dtype) { return dtype == DType::kBool || (ir::IsInt(dtype) && dtype != DType::kUInt64); }

int64_t Wrap(int64_t number, DType dtype) {
  switch (dtype) {
    case DType::kBool:
      return number != 0;
    case DType::kInt8:
      return static_cast<int8_t>(number);
    case DType::kUInt8:
      return static_cast<uint8_t>(number);
    case DType::kInt16:
      return static_cast<int16_t>(number);
    case DType::kUInt16:
      return static_cast<uint16_t>(number);
    case DType::kInt32:
      return static_cast<int32_t>(number);
    case DType::kUInt32:
      return static_cast<uint32_t>(number);
    default:
      return number;
  }
}

std::optional<int64_t> SmallCount(const std::vector<int64_t>& shape) {
  int64_t count = 1;
  for (const int64_t dim : shape) {
    if (dim < 0 || dim > kMostElements) return std::nullopt;
    count *= dim;
    if (count > kMostElements) return std::nullopt;
  }
  return count;
}

std::optional<IntTensor> ReadInts(const ir::TensorData& data) {
  const std::optional<int64_t> count = SmallCount(data.shape);
  if (!count || !IsFoldable(data.dtype)) return std::nullopt;
  const size_t width = ir::ByteSize(data.dtype);
  std::string bytes;
  data.bytes->Stream([&](std::span<const std::byte> piece) {
    bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  });
  if (bytes.size() != *count * width) return std::nullopt;
  IntTensor tensor = {.dtype = data.dtype, .shape = data.shape, .elements = {}};
  for (int64_t i = 0; i < *count; ++i) {
    int64_t number = 0;
    std::memcpy(&number, bytes.data() + i * width, width);
    tensor.elements.push_back(Wrap(number, data.dtype));  // extends the sign
  }
  return tensor;
}

std::shared_ptr<const ir::TensorData> ToTensorData(const IntTensor& tensor) {
  const size_t width = ir::ByteSize(tensor.dtype);
  std::string bytes(tensor.elements.size() * width, '\0');
  for (size_t i = 0; i < tensor.elements.size(); ++i) std::memcpy(bytes.data() + i * width, &tensor.elements[i], width);
  return ir::MakeTensor(tensor.dtype, tensor.shape, std::move(bytes));
}

}  // namespace onnxport::passes
