#include "runtime/ir/half.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace onnxport::ir {
namespace {

// Rounds to a binary format of `mantissa` stored bits whose smallest normal exponent is `min_exponent`: to nearest,
// ties to even, directly from the double. The result is exact in the format; beyond `largest` it is infinite. `unit` is
// the distance of neighbours at the number. Below the smallest normal number it does not shrink any more, which gives
// the subnormal numbers.
double RoundTo(double value, int mantissa, int min_exponent, double largest) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int exponent = std::max(std::ilogb(value), min_exponent);
  const double unit = std::ldexp(1.0, exponent - mantissa);
  const double rounded = std::nearbyint(value / unit) * unit;
  if (std::abs(rounded) > largest) return std::copysign(INFINITY, value);
  return rounded == 0 ? std::copysign(0.0, value) : rounded;
}

}  // namespace

uint16_t Float16Bits(double value) {
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return 0x7e00;
  const double magnitude = std::abs(RoundTo(value, 10, -14, 65504.0));
  if (std::isinf(magnitude)) return sign | 0x7c00;
  // Subnormal: a multiple of 2**-24, the smallest number. Other numbers store their exponent plus 15, and a mantissa
  // without its first 1.
  if (magnitude < 0x1p-14) return sign | static_cast<uint16_t>(magnitude * 0x1p24);
  const int exponent = std::ilogb(magnitude);
  const auto mantissa = static_cast<uint16_t>(std::ldexp(magnitude, 10 - exponent) - 1024);
  return sign | static_cast<uint16_t>((exponent + 15) << 10) | mantissa;
}

double Float16Value(uint16_t bits) {
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  const int exponent = (bits >> 10) & 31;
  const int mantissa = bits & 1023;
  if (exponent == 31) return mantissa == 0 ? sign * INFINITY : NAN;
  return sign * (exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25));
}

uint16_t BFloat16Bits(double value) {
  if (std::isnan(value)) return 0x7fc0;
  // A float32 holds it exactly, with the same exponents: its upper half is the bfloat16.
  const double rounded = RoundTo(value, 7, -126, 0x1.fep127);
  return static_cast<uint16_t>(std::bit_cast<uint32_t>(static_cast<float>(rounded)) >> 16);
}

}  // namespace onnxport::ir
