// Element types of tensors.
#ifndef ONNXPORT_RUNTIME_IR_DTYPE_H_
#define ONNXPORT_RUNTIME_IR_DTYPE_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace onnxport::ir {

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
};

// "float32", "int64", "bool" ...: the words of the spec language and of messages.
std::string_view Name(DType dtype);

// "f32", "i64", "bool" ...: the short words of `--input` and of spec tests.
std::string_view ShortName(DType dtype);

// Reads either form; nothing for an unknown word.
std::optional<DType> ParseDType(std::string_view word);

// The element type with a number of onnx.TensorProto.DataType; kUndefined for one that is not listed here.
DType DTypeOfNumber(int64_t number);

// Bytes of one element; 0 for strings and kUndefined.
int64_t ByteSize(DType dtype);

bool IsFloat(DType dtype);     // float16, bfloat16, float32, float64, float8 kinds
bool IsInt(DType dtype);       // signed and unsigned integers, not bool
bool IsUnsigned(DType dtype);  // unsigned integers, not bool
bool IsComplex(DType dtype);

// The first opset whose models carry complex tensors, as their parts: axes are inputs everywhere.
constexpr int kComplexOpset = 13;

// The result type of two tensors of one category (PyTorch's table, c10/core/ScalarType.h `promoteTypes`):
// the smallest type both fit in, float over int, uint8 with a signed type gives the next wider signed one.
DType Promote(DType a, DType b);

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_DTYPE_H_
