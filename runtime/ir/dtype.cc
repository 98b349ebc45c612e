#include "runtime/ir/dtype.h"

#include <array>

#include "runtime/ir/packed_dtype.h"

namespace onnxport::ir {
namespace {

struct Info {
  std::string_view name;
  std::string_view short_name;
  int bytes;
};

// By number.
constexpr std::array<Info, 27> kInfos = {{
    {"undefined", "undefined", 0},
    {"float32", "f32", 4},
    {"uint8", "u8", 1},
    {"int8", "i8", 1},
    {"uint16", "u16", 2},
    {"int16", "i16", 2},
    {"int32", "i32", 4},
    {"int64", "i64", 8},
    {"string", "str", 0},
    {"bool", "bool", 1},
    {"float16", "f16", 2},
    {"float64", "f64", 8},
    {"uint32", "u32", 4},
    {"uint64", "u64", 8},
    {"complex64", "c64", 8},
    {"complex128", "c128", 16},
    {"bfloat16", "bf16", 2},
    {"float8e4m3fn", "f8e4m3fn", 1},
    {"float8e4m3fnuz", "f8e4m3fnuz", 1},
    {"float8e5m2", "f8e5m2", 1},
    {"float8e5m2fnuz", "f8e5m2fnuz", 1},
    {"uint4", "u4", 0},
    {"int4", "i4", 0},
    {"float4e2m1", "f4e2m1", 0},
    {"float8e8m0", "f8e8m0", 1},
    {"uint2", "u2", 0},
    {"int2", "i2", 0},
}};

// A number beyond the table gives kUndefined, so a cast of a number from a file does no harm.
const Info& RowOf(DType dtype) {
  const auto number = static_cast<size_t>(dtype);
  return kInfos[number < kInfos.size() ? number : 0];
}

bool IsFloat8(DType dtype) {
  return (dtype >= DType::kFloat8E4M3FN && dtype <= DType::kFloat8E5M2FNUZ) || dtype == DType::kFloat8E8M0;
}
// PyTorch cannot promote these with another integer.
bool IsWideUnsigned(DType dtype) {
  return dtype == DType::kUInt16 || dtype == DType::kUInt32 || dtype == DType::kUInt64;
}

// uint8 is the only unsigned type after the first line. With int8, neither holds the other, so both become int16. With
// int32 the result is int32.
DType PromoteInts(DType a, DType b) {
  if (IsWideUnsigned(a) || IsWideUnsigned(b)) return DType::kUndefined;
  if (!IsUnsigned(a) && !IsUnsigned(b)) return ByteSize(a) > ByteSize(b) ? a : b;
  const DType with_sign = IsUnsigned(a) ? b : a;
  return ByteSize(with_sign) == 1 ? DType::kInt16 : with_sign;
}

DType PromoteFloats(DType a, DType b) {
  if (IsFloat8(a) || IsFloat8(b)) return DType::kUndefined;
  if (ByteSize(a) == ByteSize(b)) return DType::kFloat32;  // float16 with bfloat16
  return ByteSize(a) > ByteSize(b) ? a : b;
}

DType PromoteComplex(DType a, DType b) {
  const auto wide = [](DType d) { return d == DType::kComplex128 || d == DType::kFloat64; };
  return wide(a) || wide(b) ? DType::kComplex128 : DType::kComplex64;
}

}  // namespace

std::string_view ShortName(DType dtype) { return RowOf(dtype).short_name; }

DType DTypeOfNumber(int64_t number) {
  if (number < 0 || number >= static_cast<int64_t>(kInfos.size())) return DType::kUndefined;
  const auto dtype = static_cast<DType>(number);
  return IsPacked(dtype) ? DType::kUndefined : dtype;
}

std::optional<DType> ParseDType(std::string_view word) {
  for (size_t i = 1; i < kInfos.size(); ++i) {
    const auto dtype = static_cast<DType>(i);
    if (!IsPacked(dtype) && (word == kInfos[i].name || word == kInfos[i].short_name)) return dtype;
  }
  return std::nullopt;
}

int64_t ByteSize(DType dtype) { return RowOf(dtype).bytes; }

bool IsFloat(DType dtype) {
  return dtype == DType::kFloat32 || dtype == DType::kFloat64 || dtype == DType::kFloat16 ||
         dtype == DType::kBFloat16 || IsFloat8(dtype);
}

bool IsInt(DType dtype) { return Name(dtype).front() == 'i' || IsUnsigned(dtype); }

bool IsUnsigned(DType dtype) { return Name(dtype).front() == 'u' && dtype != DType::kUndefined; }

bool IsComplex(DType dtype) { return dtype == DType::kComplex64 || dtype == DType::kComplex128; }

DType Promote(DType a, DType b) {
  if (a == b) return a;
  for (const DType d : {a, b}) {
    if (d == DType::kUndefined || d == DType::kString || IsFloat8(d)) return DType::kUndefined;
  }
  if (IsComplex(a) || IsComplex(b)) {
    return IsWideUnsigned(a) || IsWideUnsigned(b) ? DType::kUndefined : PromoteComplex(a, b);
  }
  // The category decides before the size: int64 with float16 is float16, although float16 holds few of its numbers.
  if (IsFloat(a) && IsFloat(b)) return PromoteFloats(a, b);
  if (IsFloat(a)) return a;
  if (IsFloat(b)) return b;
  if (a == DType::kBool) return IsWideUnsigned(b) ? DType::kUndefined : b;
  if (b == DType::kBool) return IsWideUnsigned(a) ? DType::kUndefined : a;
  return PromoteInts(a, b);
}

}  // namespace onnxport::ir

namespace onnxport {

std::string_view Name(DType dtype) { return ir::RowOf(dtype).name; }

}  // namespace onnxport
