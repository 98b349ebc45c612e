// The inferred type of a node's result.
#ifndef ONNXPORT_RUNTIME_ONNX_INFERRED_TYPE_H_
#define ONNXPORT_RUNTIME_ONNX_INFERRED_TYPE_H_

#include <optional>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::onnx_ops {

struct InferredType {
  ir::DType dtype = ir::DType::kUndefined;  // kUndefined: that of the inputs, or unknown
  std::optional<ir::Dims> dims;
  bool sequence = false;  // a sequence of tensors of this dtype and these dims
};

using InferredTypes = std::vector<InferredType>;  // one for each result of the node

}  // namespace onnxport::onnx_ops

#endif  // ONNXPORT_RUNTIME_ONNX_INFERRED_TYPE_H_
