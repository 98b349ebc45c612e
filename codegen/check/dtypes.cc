#include "codegen/check/dtypes.h"

namespace onnxport::codegen {

ir::DTypeSet TypesOfClass(std::string_view word) {
  if (word == "int") return kIntTypes;
  if (word == "half") return {ir::DType::kFloat16, ir::DType::kBFloat16};
  if (word == "bool") return kBoolType;
  if (word == "double") return {ir::DType::kFloat64};
  if (word == "float") return {ir::DType::kFloat32};
  return {};
}

ir::DTypeSet HeldBy(ir::DType to) {
  using enum ir::DType;
  switch (to) {
    case kInt16:
      return {kBool, kUInt8, kInt8, kInt16};
    case kInt32:
      return {kBool, kUInt8, kInt8, kInt16, kInt32};
    case kInt64:
      return kIntTypes | kBoolType;
    // float16 has 11 bits of precision and bfloat16 8: both hold all of int8 and uint8, neither holds int16.
    case kFloat16:
    case kBFloat16:
      return {kBool, kUInt8, kInt8, to};
    // 24 bits: int16, but not int32.
    case kFloat32:
      return {kBool, kUInt8, kInt8, kInt16, kFloat16, kBFloat16, kFloat32};
    // 53 bits: int32, but not int64.
    case kFloat64:
      return kFloatTypes | ir::DTypeSet{kBool, kUInt8, kInt8, kInt16, kInt32};
    default:
      return {kBool, to};
  }
}

std::string ToText(ir::DTypeSet dtypes) { return "{" + dtypes.ToString() + "}"; }

}  // namespace onnxport::codegen
