// Finds the operands of a DequantizeLinear that computes a product of constants.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_DEQUANTIZE_PLAN_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_DEQUANTIZE_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "runtime/model/passes/packed/expression.h"
#include "runtime/model/passes/quantize/quantized_tensor.h"

namespace onnxport::passes {

// The first opset whose DequantizeLinear has scales along an axis.
inline constexpr int kAxisOpset = 13;

struct DequantizePlan {
  QuantizedTensor tensors;
  std::optional<size_t> axis = {};    // nothing: a single scale
  std::optional<int64_t> block = {};  // elements of a group; nothing: a scale for each index of the axis
};

// (elements - zero_points) * scales equals `product`, a product of floats (ConstantExpressions), bit for bit:
//  1. One factor consists of integers, which are all checked. The other has elements of a single constant.
//  2. The shape of the scales' map says where they change: nowhere, along one axis, or from block to block of one axis
//     and perhaps along others. An axis with mixed indices has no blocks (GPTQ's activation order).
//  3. The elements are stored in the first type of the opset that can hold them: unchanged, or with a number added to
//     each group, which is its zero point.
// Returns nothing if this is not possible, or if a scale is infinite or NaN, for which runtimes may differ.
std::optional<DequantizePlan> PlanDequantize(const ExpressionRef& product, int opset);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_DEQUANTIZE_PLAN_H_
