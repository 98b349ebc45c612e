#include "runtime/lowering/build/constants.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace onnxport::lowering {
namespace {

using ir::DType;

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

// Rounds to a binary format of `mantissa` stored bits whose smallest normal exponent is `min_exponent`: to nearest,
// ties to even, straight from the double. The result is exact in the format; beyond `largest` it is infinite.
double RoundTo(double value, int mantissa, int min_exponent, double largest) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int exponent = std::max(std::ilogb(value), min_exponent);
  const double unit = std::ldexp(1.0, exponent - mantissa);
  const double rounded = std::nearbyint(value / unit) * unit;
  if (std::abs(rounded) > largest) return std::copysign(INFINITY, value);
  return rounded == 0 ? std::copysign(0.0, value) : rounded;
}

uint16_t HalfBits(double value) {
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return 0x7e00;
  const double magnitude = std::abs(RoundTo(value, 10, -14, 65504.0));
  if (std::isinf(magnitude)) return sign | 0x7c00;
  if (magnitude < 0x1p-14) return sign | static_cast<uint16_t>(magnitude * 0x1p24);
  const int exponent = std::ilogb(magnitude);
  const auto mantissa = static_cast<uint16_t>(std::ldexp(magnitude, 10 - exponent) - 1024);
  return sign | static_cast<uint16_t>((exponent + 15) << 10) | mantissa;
}

uint16_t BFloat16Bits(double value) {
  if (std::isnan(value)) return 0x7fc0;
  const double rounded = RoundTo(value, 7, -126, 0x1.fep127);
  return static_cast<uint16_t>(std::bit_cast<uint32_t>(static_cast<float>(rounded)) >> 16);
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
      return Append(HalfBits(number.AsFloat()), bytes);
    case DType::kBFloat16:
      return Append(BFloat16Bits(number.AsFloat()), bytes);
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

}  // namespace onnxport::lowering
