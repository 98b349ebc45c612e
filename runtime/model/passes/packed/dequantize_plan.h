// The operands of a DequantizeLinear that computes a product of constants.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_DEQUANTIZE_PLAN_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_DEQUANTIZE_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "runtime/model/passes/packed/expression.h"
#include "runtime/model/passes/quantize/quantized_tensor.h"

namespace onnxport::passes {

// The first opset whose DequantizeLinear has scales of an axis.
inline constexpr int kAxisOpset = 13;

struct DequantizePlan {
  std::string_view why_not = {};  // the product is none of these; empty: it is one
  QuantizedTensor tensors = {};
  std::optional<size_t> axis = {};    // nothing: one scale
  std::optional<int64_t> block = {};  // elements of a group; nothing: a scale for each index of the axis
};

// (elements - zero_points) * scales is `product` bit for bit, a product of floats (ConstantExpressions):
//  1. One factor is made of integers, all of which are looked at; the other has elements of one constant.
//  2. Where the scales change, the shape of their map says: nowhere, along one axis, or from block to block of one axis
//     and perhaps along others. An axis along which indices are mixed has no blocks (GPTQ's activation order).
//  3. The elements are stored in the first type of the opset that holds them: as they are, or of a group with a number
//     added, which is its zero point.
// Neither are scales that are infinite or no numbers, which a runtime may multiply otherwise.
DequantizePlan PlanDequantize(const ExpressionRef& product, int opset);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_DEQUANTIZE_PLAN_H_
