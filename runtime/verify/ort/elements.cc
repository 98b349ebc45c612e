#include "runtime/verify/ort/elements.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <sstream>

namespace onnxport::ort {
namespace {

using ir::DType;

template <typename T>
T At(const std::string& bytes, size_t i) {
  T value;
  std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
  return value;
}

// 1 bit sign, 5 bits exponent (bias 15), 10 bits fraction. Exponent 0: no leading 1, the unit is 2^-24. Written here
// and not taken from the exporter, as a mistake shared by both sides of a comparison would not show.
double HalfToDouble(uint16_t h) {
  const int exponent = (h >> 10) & 31;
  const double fraction = h & 1023;
  const double sign = (h & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31) return fraction != 0 ? NAN : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

// The "FN" of the name: finite, no infinities. Only 0x7f and 0xff are NaN, so exponent 15 has numbers, up to 448.
double Float8E4M3ToDouble(uint8_t b) {
  const int exponent = (b >> 3) & 15;
  const double fraction = b & 7;
  const double sign = (b & 0x80) != 0 ? -1 : 1;
  if (exponent == 15 && fraction == 7) return NAN;
  return sign * (exponent == 0 ? std::ldexp(fraction, -9) : std::ldexp(8 + fraction, exponent - 10));
}

// 2 to the power of the byte less 127; there is no sign.
double Float8E8M0ToDouble(uint8_t b) { return b == 255 ? NAN : std::ldexp(1, b - 127); }

}  // namespace

double ElementOf(const Tensor& t, size_t i) {
  switch (t.dtype) {
    case DType::kFloat32:
      return At<float>(t.bytes, i);
    case DType::kFloat64:
      return At<double>(t.bytes, i);
    case DType::kFloat16:
      return HalfToDouble(At<uint16_t>(t.bytes, i));
    case DType::kBFloat16:
      return std::bit_cast<float>(static_cast<uint32_t>(At<uint16_t>(t.bytes, i)) << 16);
    case DType::kFloat8E4M3FN:
      return Float8E4M3ToDouble(At<uint8_t>(t.bytes, i));
    case DType::kFloat8E5M2:
      // E5M2 is the upper half of a float16, as bfloat16 is that of a float32.
      return HalfToDouble(static_cast<uint16_t>(At<uint8_t>(t.bytes, i) << 8));
    case DType::kFloat8E8M0:
      return Float8E8M0ToDouble(At<uint8_t>(t.bytes, i));
    case DType::kInt8:
      return At<int8_t>(t.bytes, i);
    case DType::kInt16:
      return At<int16_t>(t.bytes, i);
    case DType::kInt32:
      return At<int32_t>(t.bytes, i);
    case DType::kInt64:
      return static_cast<double>(At<int64_t>(t.bytes, i));
    case DType::kUInt16:
      return At<uint16_t>(t.bytes, i);
    case DType::kUInt32:
      return At<uint32_t>(t.bytes, i);
    case DType::kUInt64:
      return static_cast<double>(At<uint64_t>(t.bytes, i));
    default:
      return static_cast<uint8_t>(t.bytes[i]);
  }
}

size_t CountOf(const Tensor& t) { return t.bytes.size() / static_cast<size_t>(ir::ByteSize(t.dtype)); }

std::string ElementText(const Tensor& t, size_t i) {
  std::ostringstream text;
  if (t.dtype == DType::kInt64) {
    text << At<int64_t>(t.bytes, i);
  } else if (t.dtype == DType::kUInt64) {
    text << At<uint64_t>(t.bytes, i);
  } else {
    text.precision(9);
    text << ElementOf(t, i);
  }
  return text.str();
}

std::string TypeText(const Tensor& t) {
  std::string text(ir::Name(t.dtype));
  text += '[';
  for (size_t i = 0; i < t.shape.size(); ++i) text += (i ? "," : "") + std::to_string(t.shape[i]);
  return text + "]";
}

std::string ToText(const Tensor& tensor, size_t most) {
  std::string text = TypeText(tensor);
  if (ir::ByteSize(tensor.dtype) == 0) return text;
  const size_t count = ir::IsComplex(tensor.dtype) ? 0 : CountOf(tensor);
  for (size_t i = 0; i < std::min(count, most); ++i) text += (i ? " " : ": ") + ElementText(tensor, i);
  return text + (count > most ? " ..." : "");
}

double Largest(const Tensor& tensor) {
  if (tensor.is_sequence) {
    double largest = 0;
    for (const Tensor& element : tensor.elements) largest = std::max(largest, Largest(element));
    return largest;
  }
  double largest = 0;
  if (!ir::IsFloat(tensor.dtype)) return largest;
  const size_t count = CountOf(tensor);
  for (size_t i = 0; i < count; ++i) {
    const double magnitude = std::fabs(ElementOf(tensor, i));
    if (std::isfinite(magnitude)) largest = std::max(largest, magnitude);
  }
  return largest;
}

}  // namespace onnxport::ort
