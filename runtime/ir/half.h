// Converts numbers to the 16 bits of a half, and back.
#ifndef ONNXPORT_RUNTIME_IR_HALF_H_
#define ONNXPORT_RUNTIME_IR_HALF_H_

#include <bit>
#include <cstdint>

namespace onnxport::ir {

// Rounds the double once, to nearest, ties to even. A number that is too large becomes infinite.
uint16_t Float16Bits(double value);
uint16_t BFloat16Bits(double value);

// The number of a float16. It is exact, because every float16 is a double.
double Float16Value(uint16_t bits);
// The upper half of a float32.
inline float BFloat16Value(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); }

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_HALF_H_
