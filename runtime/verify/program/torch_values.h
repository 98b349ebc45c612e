// Tensors of the protocol as tensors of LibTorch, and back.
#ifndef ONNXPORT_RUNTIME_VERIFY_PROGRAM_TORCH_VALUES_H_
#define ONNXPORT_RUNTIME_VERIFY_PROGRAM_TORCH_VALUES_H_

#include <ATen/core/Tensor.h>

#include "runtime/ir/dtype.h"
#include "runtime/verify/ort/protocol.h"

namespace onnxport::verify {

// Throws std::runtime_error for a dtype that LibTorch has not.
at::ScalarType ScalarTypeOf(ir::DType dtype);

// Copies a tensor that is no sequence.
at::Tensor ToTorch(const ort::Tensor& tensor);

// A copy, row-major, without a name; a quantized tensor is its dequantized value. Throws std::runtime_error for a dtype
// that ONNX has not.
ort::Tensor FromTorch(const at::Tensor& tensor);

}  // namespace onnxport::verify

#endif  // ONNXPORT_RUNTIME_VERIFY_PROGRAM_TORCH_VALUES_H_
