#ifndef ONNXPORT_RUNTIME_TORCH_SAME_BYTES_H_
#define ONNXPORT_RUNTIME_TORCH_SAME_BYTES_H_

#include "runtime/ir/graph.h"

namespace onnxport::torch_export {

// Whether two tensors have one dtype, one shape, and the same contents.
bool SameBytes(const ir::TensorData& a, const ir::TensorData& b);

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_TORCH_SAME_BYTES_H_
