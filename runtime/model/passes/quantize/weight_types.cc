#include "runtime/model/passes/quantize/weight_types.h"

#include <algorithm>

namespace onnxport::passes {
namespace {

using ir::DType;

// Opset 13 has scales of an axis, 21 blocks and integers of 4 bits, 23 float4e2m1, 24 float8e8m0, and 25 integers of 2
// bits.
constexpr WeightTypeFacts kTypes[] = {
    {.type = WeightType::kInt8,
     .name = "int8",
     .opset = 13,
     .group = std::nullopt,
     .any_group = false,
     .numbers = {.elements = DType::kInt8, .range = {-127, 127}},
     .asymmetric = std::nullopt,
     .stored = "integers of 8 bits",
     .finer = "<<weights_as: int4>>, which has a scale for each group"},
    {.type = WeightType::kInt4,
     .name = "int4",
     .opset = 21,
     .group = 32,
     .any_group = true,
     .numbers = {.elements = ir::kInt4, .range = {-7, 7}},
     .asymmetric = StoredNumbers{.elements = ir::kUInt4, .range = {0, 15, true}},
     .stored = "integers of 4 bits",
     .finer = "<<weights_as: int4>> with smaller groups"},
    {.type = WeightType::kInt2,
     .name = "int2",
     .opset = 25,
     .group = 32,
     .any_group = true,
     .numbers = {.elements = ir::kInt2, .range = {-1, 1}},
     .asymmetric = StoredNumbers{.elements = ir::kUInt2, .range = {0, 3, true}},
     .stored = "integers of 2 bits",
     .finer = "<<weights_as: int2>> with smaller groups"},
    {.type = WeightType::kMxfp4,
     .name = "mxfp4",
     .opset = 24,
     .group = 32,
     .any_group = false,
     .numbers = {.elements = ir::kFloat4E2M1, .scales = DType::kFloat8E8M0},
     .asymmetric = std::nullopt,
     .stored = "floats of 4 bits (MXFP4)",
     .finer = "<<weights_as: int4>> with smaller groups"},
    {.type = WeightType::kNvfp4,
     .name = "nvfp4",
     .opset = 23,
     .group = 16,
     .any_group = false,
     .numbers = {.elements = ir::kFloat4E2M1, .scales = DType::kFloat8E4M3FN},
     .asymmetric = std::nullopt,
     .stored = "floats of 4 bits (NVFP4)",
     .finer = "<<weights_as: mxfp4>>, whose scales may be of any size"},
};

}  // namespace

std::span<const WeightTypeFacts> WeightTypes() { return kTypes; }

const WeightTypeFacts& FactsOf(WeightType type) { return *std::ranges::find(kTypes, type, &WeightTypeFacts::type); }

const StoredNumbers& NumbersOf(const WeightsAs& wanted) {
  const WeightTypeFacts& facts = FactsOf(wanted.type);
  return wanted.asymmetric && facts.asymmetric ? *facts.asymmetric : facts.numbers;
}

}  // namespace onnxport::passes
