#include "runtime/sources/weights/safetensors_dtype.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace onnxport::weights {
namespace {

using Pair = std::pair<std::string_view, ir::DType>;

// For both directions: weights/safetensors.cc reads with it, serializer/safetensors_head.cc writes with it. Weights of
// other dtypes (complex128) stay in the model.
constexpr std::pair<std::string_view, ir::DType> kDTypes[] = {
    {"F64", ir::DType::kFloat64},
    {"F32", ir::DType::kFloat32},
    {"F16", ir::DType::kFloat16},
    {"BF16", ir::DType::kBFloat16},
    {"I64", ir::DType::kInt64},
    {"I32", ir::DType::kInt32},
    {"I16", ir::DType::kInt16},
    {"I8", ir::DType::kInt8},
    {"U64", ir::DType::kUInt64},
    {"U32", ir::DType::kUInt32},
    {"U16", ir::DType::kUInt16},
    {"U8", ir::DType::kUInt8},
    {"BOOL", ir::DType::kBool},
    {"C64", ir::DType::kComplex64},
    {"F8_E4M3", ir::DType::kFloat8E4M3FN},
    {"F8_E5M2", ir::DType::kFloat8E5M2},
    {"F8_E8M0", ir::DType::kFloat8E8M0},
};

}  // namespace

std::string_view SafetensorsName(ir::DType dtype) {
  const auto* found = std::ranges::find(kDTypes, dtype, &Pair::second);
  return found == std::end(kDTypes) ? std::string_view() : found->first;
}

std::optional<ir::DType> DTypeOfSafetensors(std::string_view name) {
  const auto* found = std::ranges::find(kDTypes, name, &Pair::first);
  return found == std::end(kDTypes) ? std::nullopt : std::optional(found->second);
}

}  // namespace onnxport::weights
