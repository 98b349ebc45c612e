// A float tensor times a number for each index of its first axis, computed while it is read.
#ifndef ONNXPORT_RUNTIME_PASSES_SCALED_TENSOR_H_
#define ONNXPORT_RUNTIME_PASSES_SCALED_TENSOR_H_

#include <memory>
#include <optional>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Elements of a float32 or float64 tensor; nothing for another dtype or more than `most` elements.
std::optional<std::vector<double>> ReadFloats(const ir::TensorData& data, int64_t most);

// The tensor of these elements, each rounded once.
std::shared_ptr<const ir::TensorData> FloatTensor(ir::DType dtype, const std::vector<double>& elements);

// Element [i, ...] is that of `source`, float32 or float64 with an axis of factors.size(), times factors[i]: in double
// precision, then rounded once. So the bytes are the same on every machine.
std::shared_ptr<const ir::TensorData> ScaledTensor(std::shared_ptr<const ir::TensorData> source,
                                                   std::vector<double> factors);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_PASSES_SCALED_TENSOR_H_
