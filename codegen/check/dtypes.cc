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

}  // namespace onnxport::codegen
