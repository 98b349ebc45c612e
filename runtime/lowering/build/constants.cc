#include "runtime/lowering/build/constants.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "runtime/ir/half.h"

namespace onnxport::lowering {
namespace {

using ir::DType;

constexpr size_t kMaxContents = 256;  // elements of a constant that are tracked one by one

template <typename T>
void Append(T value, std::string* bytes) {
  static_assert(std::endian::native == std::endian::little);
  bytes->append(reinterpret_cast<const char*>(&value), sizeof value);
}

[[noreturn]] void DoesNotFit(const Val& number, DType dtype) {
  throw Refusal(fmt::format("{} does not fit {}", number.ToString(), ir::Name(dtype)));
}

template <typename T>
void AppendInt(const Val& number, DType dtype, std::string* bytes) {
  if (number.is_float() && std::trunc(number.AsFloat()) != number.AsFloat()) {
    DoesNotFit(number, dtype);
  }
  const int64_t value = number.AsInt();
  if (!std::in_range<T>(value)) DoesNotFit(number, dtype);
  Append(static_cast<T>(value), bytes);
}

}  // namespace

DType DefaultDType(const Val& value) {
  if (value.is_float()) return DType::kFloat32;
  if (value.is_bool()) return DType::kBool;
  if (!value.is_list()) return DType::kInt64;
  DType dtype = DType::kUndefined;
  for (const Val& element : value.AsList()) {
    const DType other = DefaultDType(element);
    dtype = dtype == DType::kUndefined ? other : ir::Promote(dtype, other);
  }
  return dtype == DType::kUndefined ? DType::kInt64 : dtype;
}

void AppendElement(const Val& number, DType dtype, std::string* bytes) {
  if (!number.is_number()) DoesNotFit(number, dtype);
  switch (dtype) {
    case DType::kFloat32:
      return Append(static_cast<float>(number.AsFloat()), bytes);
    case DType::kFloat64:
      return Append(number.AsFloat(), bytes);
    case DType::kFloat16:
      return Append(ir::Float16Bits(number.AsFloat()), bytes);
    case DType::kBFloat16:
      return Append(ir::BFloat16Bits(number.AsFloat()), bytes);
    case DType::kBool:
      return Append(static_cast<uint8_t>(static_cast<bool>(number)), bytes);
    case DType::kInt8:
      return AppendInt<int8_t>(number, dtype, bytes);
    case DType::kUInt8:
      return AppendInt<uint8_t>(number, dtype, bytes);
    case DType::kInt16:
      return AppendInt<int16_t>(number, dtype, bytes);
    case DType::kUInt16:
      return AppendInt<uint16_t>(number, dtype, bytes);
    case DType::kInt32:
      return AppendInt<int32_t>(number, dtype, bytes);
    case DType::kUInt32:
      return AppendInt<uint32_t>(number, dtype, bytes);
    case DType::kInt64:
      return AppendInt<int64_t>(number, dtype, bytes);
    case DType::kUInt64:
      return AppendInt<uint64_t>(number, dtype, bytes);
    case DType::kComplex64:
      Append(static_cast<float>(number.AsFloat()), bytes);
      return Append(0.0F, bytes);
    case DType::kComplex128:
      Append(number.AsFloat(), bytes);
      return Append(0.0, bytes);
    default:
      DoesNotFit(number, dtype);
  }
}

std::string ElementBytes(const Val& value, DType dtype) {
  std::string bytes;
  if (!value.is_list()) {
    AppendElement(value, dtype, &bytes);
    return bytes;
  }
  for (const Val& element : value.AsList()) AppendElement(element, dtype, &bytes);
  return bytes;
}

std::optional<ir::Dims> ContentsOf(DType dtype, const std::vector<int64_t>& shape, const std::string& bytes) {
  if (shape.size() > 1 || (dtype != DType::kInt64 && dtype != DType::kInt32)) return std::nullopt;
  const size_t size = static_cast<size_t>(ir::ByteSize(dtype));
  if (bytes.size() / size > kMaxContents) return std::nullopt;
  ir::Dims contents;
  for (size_t at = 0; at + size <= bytes.size(); at += size) {
    int64_t wide = 0;
    int32_t narrow = 0;
    std::memcpy(dtype == DType::kInt64 ? static_cast<void*>(&wide) : &narrow, bytes.data() + at, size);
    contents.push_back(ir::Dim(dtype == DType::kInt64 ? wide : narrow));
  }
  return contents;
}

}  // namespace onnxport::lowering
