// Makes quantized weights by a recipe.
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

// The size of a tile of groups. While writing, each of two threads holds one.
inline constexpr int64_t kMostGroupBytes = int64_t{16} << 20;

struct QuantizedAs {
  WeightType type = WeightType::kInt8;
  size_t axis = 0;                    // the axis of the groups; without groups, the axis of the channels
  std::optional<int64_t> group = {};  // elements
  bool asymmetric = false;
};

// The source must be a tensor of floats with this axis.
QuantizedTensor Quantized(WeightData source, const QuantizedAs& as, std::string name,
                          std::shared_ptr<PrecisionLoss> lost = nullptr);

// Makes the elements, scales, zero points and the scale of the scales, in this order.
Recipe QuantizedRecipe(WeightData source, const QuantizedAs& as);

extern const Maker kQuantized;  // {"type": "int4", "axis": 0, "group": 32, "asymmetric": true}

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_QUANTIZED_RECIPE_H_
