// Converts float32 to floats of 8 bits as PyTorch does: to nearest, ties to even.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_FLOAT8_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_FLOAT8_H_

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace onnxport::passes {

// The result for a number beyond the largest one.
enum class Beyond : uint8_t { kLargest, kInfinity, kNaN };

struct Float8 {
  int fraction_bits = 3;
  int bias = 7;
  uint8_t largest = 0x7e;  // without its sign
  uint8_t nan = 0x7f;      // with the number's sign, except in types without -0.0
  Beyond beyond = Beyond::kLargest;
  bool negative_zero = true;
};

inline constexpr Float8 kE4M3FN;
inline constexpr Float8 kE5M2 = {.fraction_bits = 2, .bias = 15, .largest = 0x7b, .beyond = Beyond::kInfinity};
inline constexpr Float8 kE4M3FNUZ = {
    .bias = 8, .largest = 0x7f, .nan = 0x80, .beyond = Beyond::kNaN, .negative_zero = false};
inline constexpr Float8 kE5M2FNUZ = {
    .fraction_bits = 2, .bias = 16, .largest = 0x7f, .nan = 0x80, .beyond = Beyond::kNaN, .negative_zero = false};

// The bits without the sign; larger than any of the type if the number is beyond its range.
inline int Float8Size(float size, const Float8& type) {
  if (size == 0) return 0;
  int exponent = 0;
  std::frexp(size, &exponent);  // 2^exponent is larger than it
  const int field = std::max(exponent - 1 + type.bias, 1);
  const int steps = 1 << type.fraction_bits;
  // Counts steps of the last bit. A carry into the exponent gives the right result.
  const auto count = static_cast<int>(std::nearbyint(std::ldexp(size, type.bias + type.fraction_bits - field)));
  return (field - 1) * steps + count;
}

template <const Float8& kType>
uint8_t ToFloat8(float number) {
  const auto sign = static_cast<uint8_t>(std::signbit(number) ? 0x80 : 0);
  const auto with_sign = [sign](uint8_t bits) { return static_cast<uint8_t>(sign | bits); };
  if (std::isnan(number)) return with_sign(kType.nan);
  const bool beyond = std::isinf(number) || Float8Size(std::abs(number), kType) > kType.largest;
  if (beyond && kType.beyond == Beyond::kNaN) return kType.nan;
  if (beyond) return with_sign(kType.beyond == Beyond::kInfinity ? kType.largest + 1 : kType.largest);
  const auto size = static_cast<uint8_t>(Float8Size(std::abs(number), kType));
  return size == 0 && !kType.negative_zero ? size : with_sign(size);
}

// A power of 2. The sign is ignored, and 0 becomes the smallest one.
inline uint8_t ToE8M0(float number) {
  const auto bits = std::bit_cast<uint32_t>(number) & 0x7fffffff;
  const uint32_t exponent = bits >> 23;
  if (exponent == 0xff) return 0xff;  // NaN, and infinities
  const uint32_t fraction = bits & 0x7fffff;
  const bool up = fraction > 0x400000 || (fraction == 0x400000 && exponent > 0);
  return static_cast<uint8_t>(exponent + (up ? 1 : 0));
}

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_FLOAT8_H_
