// Tensors of LibTorch as weights of a graph: their bytes stay where they are.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCH_TENSOR_MEMORY_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCH_TENSOR_MEMORY_H_

#include <ATen/core/Tensor.h>

#include <memory>
#include <optional>

#include "runtime/ir/dtype.h"
#include "runtime/ir/graph.h"

namespace onnxport::torch_export {

// Nothing for a type that ONNX has no word for.
std::optional<ir::DType> DTypeOf(at::ScalarType type);

// Its dtype, sizes and strides. Throws Error (kCannotExport) for a tensor that ONNX has no word for.
ir::Value TypeOf(const at::Tensor& tensor);

// Streams from the tensor's memory, row-major whatever its strides; the tensor lives as long. One of the meta device
// has no elements. Throws Error (kCannotExport) for a tensor of another device than the CPU.
std::shared_ptr<const ir::TensorData> DataOf(const at::Tensor& tensor);

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCH_TENSOR_MEMORY_H_
