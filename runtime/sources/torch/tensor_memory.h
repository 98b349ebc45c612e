// Makes LibTorch's tensors weights of a graph. Their bytes are not copied.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCH_TENSOR_MEMORY_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCH_TENSOR_MEMORY_H_

#include <ATen/core/Tensor.h>

#include <memory>
#include <optional>

#include "runtime/ir/dtype.h"
#include "runtime/ir/graph.h"

namespace onnxport::torch_export {

// Nothing for a type that ONNX does not have.
std::optional<ir::DType> DTypeOf(at::ScalarType type);

// Returns dtype, sizes and strides. Throws Error (kCannotExport) for a type that ONNX does not have.
ir::Value TypeOf(const at::Tensor& tensor);

// Streams from the tensor's memory in row-major order, for any strides. It keeps the tensor alive. A tensor on the meta
// device has no elements. Throws Error (kCannotExport) for a tensor on a device other than the CPU.
std::shared_ptr<const ir::TensorData> DataOf(const at::Tensor& tensor);

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCH_TENSOR_MEMORY_H_
