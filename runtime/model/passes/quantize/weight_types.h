// The facts about each type for stored weights.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_WEIGHT_TYPES_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_WEIGHT_TYPES_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "onnxport/numbers.h"
#include "runtime/ir/graph.h"
#include "runtime/ir/packed_dtype.h"

namespace onnxport::passes {

// Integers from `least` to `largest`; floats have none.
struct IntegerRange {
  int32_t least = 0;
  int32_t largest = 0;
  bool has_zero_points = false;
};

// The dtypes in which elements and scales are stored.
struct StoredNumbers {
  ir::DType elements;
  ir::DType scales = ir::DType::kFloat32;
  IntegerRange range = {};
};

struct WeightTypeFacts {
  WeightType type;
  std::string_view name;
  int opset;                     // the first opset with its operators and dtypes
  std::optional<int64_t> group;  // the default group size; nothing: a scale for each channel
  bool any_group;                // other group sizes are allowed
  StoredNumbers numbers;
  std::optional<StoredNumbers> asymmetric;  // nothing: the type has no zero points
  std::string_view stored;                  // for messages
  std::string_view finer;                   // the type to use if numbers are too small for their scale
};

std::span<const WeightTypeFacts> WeightTypes();
const WeightTypeFacts& FactsOf(WeightType type);
const StoredNumbers& NumbersOf(const WeightsAs& wanted);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_WEIGHT_TYPES_H_
