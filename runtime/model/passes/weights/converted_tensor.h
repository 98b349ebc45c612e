// A float tensor in a smaller dtype, rounded while it is read.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_CONVERTED_TENSOR_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_CONVERTED_TENSOR_H_

#include <cstdint>
#include <memory>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// To the nearest, of two the even one; what is too large becomes infinite, as PyTorch has it.
uint16_t ToFloat16(float number);
uint16_t ToBFloat16(float number);

// The largest number of a float32 tensor that 16 bits do not hold; 0: there is none. One that is infinite stays so.
float LargestBeyond(const ir::TensorData& data, ir::DType dtype);

// float32 as float16, bfloat16 or a float of 8 bits, float64 as float32. Null for other pairs.
std::shared_ptr<const ir::TensorData> ConvertedTensor(const std::shared_ptr<const ir::TensorData>& source,
                                                      ir::DType dtype);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_CONVERTED_TENSOR_H_
