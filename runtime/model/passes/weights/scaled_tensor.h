// Multiplies a float tensor by a factor for each index of one axis, while it is read.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_SCALED_TENSOR_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_SCALED_TENSOR_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// The longest axis that can be scaled.
inline constexpr int64_t kMostFactors = int64_t{1} << 20;

// Returns true if a factor is 0, or keeps weights of usual sizes in the range of float32.
bool IsTame(double factor);

// The elements of a float32 or float64 tensor; nothing for another dtype or for more than `most` elements.
std::optional<std::vector<double>> ReadFloats(const ir::TensorData& data, int64_t most);

// The sum of squares for each index of an axis of a float32 or float64 tensor, summed in the order of the elements.
std::vector<double> SumsOfSquares(const ir::TensorData& data, size_t axis);

// A tensor with these elements, each rounded once.
std::shared_ptr<const ir::TensorData> FloatTensor(ir::DType dtype, const std::vector<double>& elements);

// Multiplies the elements at index i of the axis by factors[i], in a float32 or float64 tensor. It computes in double
// precision and rounds once, so the bytes are the same on every machine.
std::shared_ptr<const ir::TensorData> ScaledTensor(std::shared_ptr<const ir::TensorData> source,
                                                   std::vector<double> factors, size_t axis);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_WEIGHTS_SCALED_TENSOR_H_
