// Element types of weights that store several elements in a byte. Programs have no such tensors, and models no such
// inputs or outputs. So they are not in onnxport::DType, and ParseDType and DTypeOfNumber do not know them.
#ifndef ONNXPORT_RUNTIME_IR_PACKED_DTYPE_H_
#define ONNXPORT_RUNTIME_IR_PACKED_DTYPE_H_

#include <cstdint>

#include "runtime/ir/dtype.h"

namespace onnxport::ir {

// Numbered as onnx.TensorProto.DataType. Row-major; the first element is in the lowest bits of the first byte. Unused
// bits of the last byte are 0.
inline constexpr DType kUInt4{21};
inline constexpr DType kInt4{22};
inline constexpr DType kFloat4E2M1{23};
inline constexpr DType kUInt2{25};
inline constexpr DType kInt2{26};

struct PackedDType {
  DType dtype;
  int bits;  // of an element
};
inline constexpr PackedDType kPackedDTypes[] = {{kUInt4, 4}, {kInt4, 4}, {kFloat4E2M1, 4}, {kUInt2, 2}, {kInt2, 2}};

// Bits of an element; 0 for a type that is not packed.
constexpr int PackedBits(DType dtype) {
  for (const PackedDType& packed : kPackedDTypes) {
    if (packed.dtype == dtype) return packed.bits;
  }
  return 0;
}

constexpr bool IsPacked(DType dtype) { return PackedBits(dtype) != 0; }

// Bytes of `count` elements; 0 for strings and kUndefined.
inline int64_t StoredBytes(DType dtype, int64_t count) {
  if (!IsPacked(dtype)) return count * ByteSize(dtype);
  const int64_t in_byte = 8 / PackedBits(dtype);
  return count / in_byte + (count % in_byte != 0 ? 1 : 0);
}

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_PACKED_DTYPE_H_
