// Element types of tensors.
#ifndef ONNXPORT_DTYPE_H_
#define ONNXPORT_DTYPE_H_

#include <cstdint>
#include <string_view>

namespace onnxport {

// Numbered as onnx.TensorProto.DataType, so a cast converts in either direction.
enum class DType : uint8_t {
  kUndefined = 0,
  kFloat32 = 1,
  kUInt8 = 2,
  kInt8 = 3,
  kUInt16 = 4,
  kInt16 = 5,
  kInt32 = 6,
  kInt64 = 7,
  kString = 8,
  kBool = 9,
  kFloat16 = 10,
  kFloat64 = 11,
  kUInt32 = 12,
  kUInt64 = 13,
  kComplex64 = 14,
  kComplex128 = 15,
  kBFloat16 = 16,
  kFloat8E4M3FN = 17,
  kFloat8E4M3FNUZ = 18,
  kFloat8E5M2 = 19,
  kFloat8E5M2FNUZ = 20,
  kFloat8E8M0 = 24,  // powers of 2, for scales
};
using enum DType;  // onnxport::kFloat32

// "float32", "int64", "bool" ...
std::string_view Name(DType dtype);

}  // namespace onnxport

#endif  // ONNXPORT_DTYPE_H_
