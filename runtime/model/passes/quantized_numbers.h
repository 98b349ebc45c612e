// How a float becomes a small integer. All of it is float32 arithmetic, one rounded operation at a time, so that the
// bytes are the same on every machine.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZED_NUMBERS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZED_NUMBERS_H_

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace onnxport::passes {

// 127 times a scale that was rounded up must not become infinite.
inline constexpr float kLargestQuantized = 0x1p126F;
// A quotient by a smaller scale would lose bits, or be infinite.
inline constexpr float kSmallestScale = 0x1p-126F;

// Of numbers that span `range` in so many steps. All are 0: any scale will do, and 1 looks like what it is.
inline float ScaleOf(float range, float steps) { return range == 0 ? 1 : std::max(range / steps, kSmallestScale); }

// The nearest integer, of two the even one; for |number| < 2**22. In the sum the last bit is 1, so the addition rounds:
// an instruction, where std::nearbyint is a call on some machines.
inline int32_t ToNearest(float number) {
  constexpr float kShift = 0x1.8p23F;
  return std::bit_cast<int32_t>(number + kShift) - std::bit_cast<int32_t>(kShift);
}

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZED_NUMBERS_H_
