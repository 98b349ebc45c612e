// Element types of tensors.
#ifndef ONNXPORT_RUNTIME_IR_DTYPE_H_
#define ONNXPORT_RUNTIME_IR_DTYPE_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "onnxport/dtype.h"

namespace onnxport::ir {

using onnxport::DType;
// "float32", "int64", "bool" ...: the words of the spec language and of messages, too.
using onnxport::Name;

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

// The result type of two tensors of one category (PyTorch's table, c10/core/ScalarType.h `promoteTypes`). It is the
// smallest type that both fit in; float wins over int, and uint8 with a signed type gives the next wider signed one.
DType Promote(DType a, DType b);

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_DTYPE_H_
