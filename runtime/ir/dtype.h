// Element types of tensors.
#ifndef ONNXPORT_RUNTIME_IR_DTYPE_H_
#define ONNXPORT_RUNTIME_IR_DTYPE_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "onnxport/dtype.h"

namespace onnxport::ir {

using onnxport::DType;
// "float32", "int64", "bool" ... The spec language and messages use these words, too.
using onnxport::Name;

// "f32", "i64", "bool" ...: the short words of `--input` and of spec tests.
std::string_view ShortName(DType dtype);

// Reads a long or short name; nothing for an unknown word.
std::optional<DType> ParseDType(std::string_view word);

// The element type for a number of onnx.TensorProto.DataType; kUndefined for another number.
DType DTypeOfNumber(int64_t number);

// Bytes of one element; 0 for strings and kUndefined.
int64_t ByteSize(DType dtype);

bool IsFloat(DType dtype);     // float16, bfloat16, float32, float64, float8 kinds
bool IsInt(DType dtype);       // signed and unsigned integers, not bool
bool IsUnsigned(DType dtype);  // unsigned integers, not bool
bool IsComplex(DType dtype);

// The first opset whose models can have complex tensors, stored as their parts: from it on, axes are inputs of all
// nodes.
constexpr int kComplexOpset = 13;

// The result type of two tensors of one category (PyTorch's table, c10/core/ScalarType.h `promoteTypes`). It is the
// smallest type that holds both. Float wins over int. uint8 and a signed type give the next wider signed type.
DType Promote(DType a, DType b);

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_DTYPE_H_
