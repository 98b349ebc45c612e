#include "runtime/onnx/known_tensor.h"

#include <cstring>
#include <span>
#include <string>
#include <utility>

namespace onnxport::onnx_ops {

using ir::DType;

namespace {

// An element is stored as the bits of a double or as an int64. A float32 is converted. For all other dtypes the low
// bytes are the value, little-endian as ONNX wants them.
void Write(int64_t element, DType dtype, char* to) {
  const auto number = static_cast<float>(ToFloat(element));
  if (dtype == DType::kFloat32) {
    std::memcpy(to, &number, sizeof(number));
  } else {
    std::memcpy(to, &element, ir::ByteSize(dtype));
  }
}

int64_t Read(const char* from, DType dtype) {
  if (dtype == DType::kFloat32) {
    float number = 0;
    std::memcpy(&number, from, sizeof(number));
    return FromFloat(number);
  }
  int64_t number = 0;
  std::memcpy(&number, from, ir::ByteSize(dtype));
  return Wrap(number, dtype);  // extends the sign
}

template <typename T>
void Narrow(std::span<int64_t> numbers) {
  for (int64_t& number : numbers) number = static_cast<T>(number);
}

}  // namespace

bool IsFoldable(DType dtype) {
  const bool is_float = dtype == DType::kFloat32 || dtype == DType::kFloat64;
  return dtype == DType::kBool || is_float || (ir::IsInt(dtype) && dtype != DType::kUInt64);
}

int64_t Wrap(int64_t number, DType dtype) {
  Wrap(std::span(&number, 1), dtype);
  return number;
}

void Wrap(std::span<int64_t> numbers, DType dtype) {
  switch (dtype) {
    case DType::kBool:
      for (int64_t& number : numbers) number = number != 0;
      return;
    case DType::kInt8:
      return Narrow<int8_t>(numbers);
    case DType::kUInt8:
      return Narrow<uint8_t>(numbers);
    case DType::kInt16:
      return Narrow<int16_t>(numbers);
    case DType::kUInt16:
      return Narrow<uint16_t>(numbers);
    case DType::kInt32:
      return Narrow<int32_t>(numbers);
    case DType::kUInt32:
      return Narrow<uint32_t>(numbers);
    default:
      return;
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

std::optional<KnownTensor> ReadKnown(const ir::TensorData& data) {
  const std::optional<int64_t> count = SmallCount(data.shape);
  if (!count || !IsFoldable(data.dtype)) return std::nullopt;
  const size_t width = ir::ByteSize(data.dtype);
  const std::string bytes = ir::BytesOf(*data.bytes);
  // Too few bytes are an error for whoever writes the tensor. Here the tensor is just unknown.
  if (bytes.size() != *count * width) return std::nullopt;
  KnownTensor tensor = {.dtype = data.dtype, .shape = data.shape, .elements = {}};
  for (int64_t i = 0; i < *count; ++i) tensor.elements.push_back(Read(bytes.data() + i * width, data.dtype));
  return tensor;
}

std::shared_ptr<const ir::TensorData> ToTensorData(const KnownTensor& tensor) {
  const size_t width = ir::ByteSize(tensor.dtype);
  std::string bytes(tensor.elements.size() * width, '\0');
  for (size_t i = 0; i < tensor.elements.size(); ++i) Write(tensor.elements[i], tensor.dtype, bytes.data() + i * width);
  return ir::MakeTensor(tensor.dtype, tensor.shape, std::move(bytes));
}

}  // namespace onnxport::onnx_ops
