#include "runtime/ir/scalar_type.h"

#include <utility>

namespace onnxport::ir {
namespace {

constexpr std::pair<int, DType> kScalarTypes[] = {
    {0, DType::kUInt8},       {1, DType::kInt8},          {2, DType::kInt16},           {3, DType::kInt32},
    {4, DType::kInt64},       {5, DType::kFloat16},       {6, DType::kFloat32},         {7, DType::kFloat64},
    {9, DType::kComplex64},   {10, DType::kComplex128},   {11, DType::kBool},           {15, DType::kBFloat16},
    {23, DType::kFloat8E5M2}, {24, DType::kFloat8E4M3FN}, {25, DType::kFloat8E5M2FNUZ}, {26, DType::kFloat8E4M3FNUZ},
    {27, DType::kUInt16},     {28, DType::kUInt32},       {29, DType::kUInt64},         {44, DType::kFloat8E8M0}};

}  // namespace

std::optional<DType> DTypeOfScalarType(int64_t number) {
  for (const auto& [known, dtype] : kScalarTypes)
    if (known == number) return dtype;
  return std::nullopt;
}

int64_t ScalarTypeOf(DType dtype) {
  for (const auto& [number, known] : kScalarTypes)
    if (known == dtype) return number;
  return -1;
}

}  // namespace onnxport::ir
