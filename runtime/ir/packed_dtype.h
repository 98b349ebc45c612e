// Element types of weights that are stored with two elements in a byte. No program has such a tensor, and no input or
// output of a model is one: so they are none of onnxport::DType's, nor do ParseDType and DTypeOfNumber know them.
#ifndef ONNXPORT_RUNTIME_IR_PACKED_DTYPE_H_
#define ONNXPORT_RUNTIME_IR_PACKED_DTYPE_H_

#include <cstdint>

#include "runtime/ir/dtype.h"

namespace onnxport::ir {

// Numbered as onnx.TensorProto.DataType. Row-major, the first element in the lower half of the first byte; after an odd
// number of elements the last half is 0.
inline constexpr DType kUInt4{21};
inline constexpr DType kInt4{22};

constexpr bool IsPacked(DType dtype) { return dtype == kUInt4 || dtype == kInt4; }

// Bytes of `count` elements; 0 for strings and kUndefined.
inline int64_t StoredBytes(DType dtype, int64_t count) {
  return IsPacked(dtype) ? count / 2 + count % 2 : count * ByteSize(dtype);
}

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_PACKED_DTYPE_H_
