// Quantized weights by a recipe.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_QUANTIZED_RECIPE_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_QUANTIZED_RECIPE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "runtime/model/passes/quantize/quantized_tensor.h"
#include "runtime/model/passes/weights/recipe.h"

namespace onnxport::passes {

// The size of a tile of groups. Two threads hold one each while they write.
inline constexpr int64_t kMostGroupBytes = int64_t{16} << 20;

struct QuantizedAs {
  WeightType type = WeightType::kInt8;
  size_t axis = 0;                    // that is cut into groups; without groups: that of the channels
  std::optional<int64_t> group = {};  // elements
  bool asymmetric = false;
};

// The source is a tensor of floats that has this axis.
QuantizedTensor Quantized(WeightData source, const QuantizedAs& as, std::string name,
                          std::shared_ptr<PrecisionLoss> lost = nullptr);

// The recipe of the elements, scales, zero points and the scale of the scales, in this order.
Recipe QuantizedRecipe(WeightData source, const QuantizedAs& as);

extern const Maker kQuantized;  // {"type": "int4", "axis": 0, "group": 32, "asymmetric": true}

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_QUANTIZED_RECIPE_H_
