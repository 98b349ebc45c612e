// A tensor of floats as numbers of few bits and scales, computed while they are read.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_QUANTIZED_TENSOR_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_QUANTIZED_TENSOR_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "runtime/ir/graph.h"
#include "runtime/model/passes/graph/tensor_size.h"
#include "runtime/model/passes/quantize/lost_numbers.h"

namespace onnxport::passes {

// What DequantizeLinear takes: (elements - zero_points) * scales. Reading any of them throws Error (kCannotExport) with
// the tensor's name if it has a number that is none, infinite, or beyond 2**126, where a product might become infinite.
struct QuantizedTensor {
  std::shared_ptr<const ir::TensorData> elements;
  std::shared_ptr<const ir::TensorData> scales;       // float32, or as GroupNumbers says
  std::shared_ptr<const ir::TensorData> zero_points;  // null: all are 0
  std::shared_ptr<const ir::TensorData> scale_scale;  // of the scales, which are numbers of few bits, too; null: 1
};

inline int64_t BytesIn(const QuantizedTensor& made) {
  int64_t bytes = BytesIn(*made.elements) + BytesIn(*made.scales);
  for (const auto& part : {made.zero_points, made.scale_scale}) bytes += part ? BytesIn(*part) : 0;
  return bytes;
}

// int8 with a scale for each index of `axis`: max |w| / 127. The scales are kept once they are known, so the source is
// read twice for all. Of float32, float16 or bfloat16 (HasFloatBlocks), as below.
// Reading the elements notes in `lost`, which may be null, what of them became 0.
QuantizedTensor QuantizedByChannel(std::shared_ptr<const ir::TensorData> source, size_t axis, std::string name,
                                   std::shared_ptr<LostNumbers> lost = nullptr);

// What the elements of a group become, and their scale.
enum class GroupNumbers {
  kInt4,   // max |w| / 7
  kUInt4,  // (max - min) / 15 with 0 among them, and a zero point
  kInt2,   // max |w|: -1, 0 and 1
  kUInt2,  // (max - min) / 3, and a zero point
  kMxfp4,  // E2M1; a power of 2, as float8e8m0: that of max |w|, less 2
  kNvfp4,  // E2M1; max |w| / 6 as float8e4m3fn, in parts of the largest that the tensor has
};

struct Grouping {
  size_t axis = 0;     // that is cut into groups
  int64_t group = 32;  // elements of a group; the last one may have fewer
  GroupNumbers numbers = GroupNumbers::kInt4;
};

// A scale for each group. Each of the tensors reads the source once, and holds what GroupBytes says; the largest number
// of a tensor, which kNvfp4 needs, is read once for all.
QuantizedTensor QuantizedByGroup(std::shared_ptr<const ir::TensorData> source, const Grouping& grouping,
                                 std::string name, std::shared_ptr<LostNumbers> lost = nullptr);

// The bytes that are held at a time: groups lie beside each other when their axis is not the last.
int64_t GroupBytes(const ir::TensorData& source, const Grouping& grouping);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_QUANTIZED_TENSOR_H_
