// Converts floats to numbers of few bits. All of it is float32 arithmetic, one rounded operation at a time, so the
// bytes are the same on every machine.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_QUANTIZED_NUMBERS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_QUANTIZED_NUMBERS_H_

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace onnxport::passes {

// 127 times a scale that was rounded up must stay finite.
inline constexpr float kLargestQuantized = 0x1p126F;
// Division by a smaller scale would lose bits, or give infinity.
inline constexpr float kSmallestScale = 0x1p-126F;

// The scale for numbers in `range`, divided into steps. If all are 0, any scale works, and 1 is a plain choice.
inline float ScaleOf(float range, float steps) { return range == 0 ? 1 : std::max(range / steps, kSmallestScale); }

// The nearest integer, ties to even; for |number| < 2**22. In the sum the last bit is worth 1, so the addition rounds.
// It is one instruction, while std::nearbyint is a call on some machines.
inline int32_t ToNearest(float number) {
  constexpr float kShift = 0x1.8p23F;
  return std::bit_cast<int32_t>(number + kShift) - std::bit_cast<int32_t>(kShift);
}

// ---- E2M1: a sign, and 0, 0.5, 1, 1.5, 2, 3, 4 or 6

inline constexpr float kLargestE2M1 = 6;
inline constexpr int32_t kE2M1Size = 7;  // the bits without the sign

// The bits of the nearest number, ties to the one whose last bit is 0. Numbers beyond 6 become 6. Each comparison is
// with the middle between two neighbours.
inline int32_t E2M1Bits(float number) {
  const float size = std::abs(number);
  const int32_t nearest =
      (size > 0.25F) + (size >= 0.75F) + (size > 1.25F) + (size >= 1.75F) + (size > 2.5F) + (size >= 3.5F) + (size > 5);
  return nearest | static_cast<int32_t>(std::bit_cast<uint32_t>(number) >> 31 << 3);
}

// ---- E8M0: powers of 2, whose bits are the exponent of a float32

inline uint8_t E8M0Bits(float power) { return static_cast<uint8_t>(std::bit_cast<uint32_t>(power) >> 23); }

// The scale of the MX formats: a quarter of the largest power of 2 in numbers up to `largest`, because E2M1's is 4.
inline float PowerScaleOf(float largest) {
  constexpr uint32_t kExponent = 0x7f800000;
  if (largest == 0) return 1;
  return std::max(std::bit_cast<float>(std::bit_cast<uint32_t>(largest) & kExponent) / 4, kSmallestScale);
}

// ---- E4M3 of numbers from 0 to 448, the largest of them

inline constexpr float kLargestE4M3 = 448;

// The bits of the nearest number, ties to the one whose last bit is 0. The exponent of a float32 is larger by 120, and
// the upper 3 bits of its fraction are kept. Below 2**-6 the bits count steps of 2**-9.
inline uint8_t E4M3Bits(float number) {
  if (number < 0x1p-6F) return static_cast<uint8_t>(ToNearest(number * 0x1p9F));
  const uint32_t bits = std::bit_cast<uint32_t>(number);
  return static_cast<uint8_t>(((bits + 0x7ffff + (bits >> 20 & 1)) >> 20) - (120 << 3));
}

inline float E4M3Value(uint8_t bits) {
  return bits < 8 ? static_cast<float>(bits) * 0x1p-9F : std::bit_cast<float>((uint32_t{bits} + (120 << 3)) << 20);
}

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_QUANTIZED_NUMBERS_H_
