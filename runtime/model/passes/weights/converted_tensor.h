// A float tensor in a smaller dtype, rounded while it is read.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_CONVERTED_TENSOR_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_CONVERTED_TENSOR_H_

#include <cstdint>
#include <memory>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// To nearest, ties to even; a number that is too large becomes infinite, as in PyTorch.
uint16_t ToFloat16(float number);
uint16_t ToBFloat16(float number);

// The largest number of a float32 tensor beyond the range of 16 bits; 0 if there is none. Infinities do not count.
float LargestBeyond(const ir::TensorData& data, ir::DType dtype);

// Converts float32 to float16, bfloat16 or a float of 8 bits, and float64 to float32. Null for other pairs.
std::shared_ptr<const ir::TensorData> ConvertedTensor(const std::shared_ptr<const ir::TensorData>& source,
                                                      ir::DType dtype);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_CONVERTED_TENSOR_H_
