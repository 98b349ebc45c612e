// Reads the elements of a tensor of floats as float32.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_FLOAT_BLOCKS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_FLOAT_BLOCKS_H_

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/ir/half.h"
#include "runtime/model/passes/weights/element_blocks.h"

namespace onnxport::passes {

// float32 holds all of its numbers exactly.
constexpr bool HasFloatBlocks(ir::DType dtype) {
  return dtype == ir::DType::kFloat32 || dtype == ir::DType::kFloat16 || dtype == ir::DType::kBFloat16;
}

// Calls `visit` with spans of at most kBlockElements floats, in the order of the elements.
template <typename Visit>
void ForEachFloatBlock(const ir::TensorData& data, const Visit& visit) {
  if (data.dtype == ir::DType::kFloat32) return ForEachBlock<float>(*data.bytes, visit);
  const bool brain = data.dtype == ir::DType::kBFloat16;
  std::vector<float> widened(kBlockElements);
  ForEachBlock<uint16_t>(*data.bytes, [&](std::span<const uint16_t> block) {
    std::ranges::transform(block, widened.begin(), [brain](uint16_t bits) {
      return brain ? ir::BFloat16Value(bits) : static_cast<float>(ir::Float16Value(bits));
    });
    visit(std::span<const float>(widened).first(block.size()));
  });
}

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_FLOAT_BLOCKS_H_
