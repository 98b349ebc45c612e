#include "codegen/check/dtypes.h"

namespace onnxport::codegen {

std::string DTypes::ToString() const {
  std::string text;
  for (int number = 1; number < 32; ++number) {
    const auto type = static_cast<ir::DType>(number);
    if (!Has(type)) continue;
    text += text.empty() ? "" : ", ";
    text += ir::Name(type);
  }
  return "{" + text + "}";
}

DTypes TypesOfClass(std::string_view word) {
  if (word == "int") return kIntTypes;
  if (word == "half") return {ir::DType::kFloat16, ir::DType::kBFloat16};
  if (word == "bool") return kBoolType;
  if (word == "double") return {ir::DType::kFloat64};
  if (word == "float") return {ir::DType::kFloat32};
  return {};
}

DTypes HeldBy(ir::DType to) {
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
      return kFloatTypes | DTypes{kBool, kUInt8, kInt8, kInt16, kInt32};
    default:
      return {kBool, to};
  }
}

}  // namespace onnxport::codegen
