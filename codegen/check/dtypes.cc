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
    case kFloat16:
    case kBFloat16:
      return {kBool, kUInt8, kInt8, to};
    case kFloat32:
      return {kBool, kUInt8, kInt8, kInt16, kFloat16, kBFloat16, kFloat32};
    case kFloat64:
      return kFloatTypes | ir::DTypeSet{kBool, kUInt8, kInt8, kInt16, kInt32};
    default:
      return {kBool, to};
  }
}

std::string ToText(ir::DTypeSet dtypes) { return "{" + dtypes.ToString() + "}"; }

}  // namespace onnxport::codegen
