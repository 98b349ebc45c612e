// Turns a tensor of floats into numbers of few bits and scales, computed while they are read.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_QUANTIZED_TENSOR_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_QUANTIZED_TENSOR_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "onnxport/numbers.h"
#include "runtime/ir/graph.h"
#include "runtime/model/passes/graph/tensor_size.h"
#include "runtime/model/passes/quantize/precision_loss.h"

namespace onnxport::passes {

// The inputs of DequantizeLinear: (elements - zero_points) * scales. Reading any of them throws Error (kCannotExport)
// with the tensor's name if a number is NaN, infinite, or beyond 2**126, because a product might become infinite.
struct QuantizedTensor {
  std::shared_ptr<const ir::TensorData> elements;
  std::shared_ptr<const ir::TensorData> scales;       // as StoredNumbers says
  std::shared_ptr<const ir::TensorData> zero_points;  // null: all are 0
  std::shared_ptr<const ir::TensorData> scale_scale;  // of scales that are numbers of few bits, too; null: 1
};

inline int64_t BytesIn(const QuantizedTensor& made) {
  int64_t bytes = BytesIn(*made.elements) + BytesIn(*made.scales);
  for (const auto& part : {made.zero_points, made.scale_scale}) bytes += part ? BytesIn(*part) : 0;
  return bytes;
}

// int8 with a scale for each index of `axis`: max |w| / 127. The scales are kept once they are computed, so the source
// is read twice in all. The source is float32, float16 or bfloat16 (HasFloatBlocks), as below. If `lost` is not null,
// reading the elements notes there which of them became 0.
QuantizedTensor QuantizedByChannel(std::shared_ptr<const ir::TensorData> source, size_t axis, std::string name,
                                   std::shared_ptr<PrecisionLoss> lost = nullptr);

struct Grouping {
  size_t axis = 0;                      // the axis of the groups
  int64_t group = 32;                   // elements of a group; the last group may have fewer
  WeightType type = WeightType::kInt4;  // one that has groups
  bool asymmetric = false;
};

// With a scale for each group. Each of the tensors reads the source once, and holds GroupBytes. The largest number of
// the tensor, which nvfp4 needs, is read once for all.
QuantizedTensor QuantizedByGroup(std::shared_ptr<const ir::TensorData> source, const Grouping& grouping,
                                 std::string name, std::shared_ptr<PrecisionLoss> lost = nullptr);

// The bytes held at a time. If the axis is not the last one, many groups are read together.
int64_t GroupBytes(const ir::TensorData& source, const Grouping& grouping);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_QUANTIZED_TENSOR_H_
