// A small tensor whose elements are known at export time.
#ifndef ONNXPORT_RUNTIME_ONNX_KNOWN_TENSOR_H_
#define ONNXPORT_RUNTIME_ONNX_KNOWN_TENSOR_H_

#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::onnx_ops {

// Larger results are computed at run time: a mask of megabytes is cheaper to compute than to store.
inline constexpr int64_t kMostElements = int64_t{1} << 14;

struct KnownTensor {
  ir::DType dtype = ir::DType::kInt64;  // a foldable one
  std::vector<int64_t> shape;
  std::vector<int64_t> elements;  // row-major; a bool is 0 or 1, a float is `FromFloat`

  friend bool operator==(const KnownTensor&, const KnownTensor&) = default;
};

// Returns true for bool, integers that fit an int64, float32 and float64.
bool IsFoldable(ir::DType dtype);

// Returns the integer as the dtype holds it: wrapped in two's complement. For bool, tells whether it is not 0. Keeps
// floats.
int64_t Wrap(int64_t number, ir::DType dtype);
void Wrap(std::span<int64_t> numbers, ir::DType dtype);

// Converts between a float and its element.
inline int64_t FromFloat(double number) { return std::bit_cast<int64_t>(number); }
inline double ToFloat(int64_t element) { return std::bit_cast<double>(element); }

// Returns the product of the dimensions; nothing if one is negative or the product is above kMostElements.
std::optional<int64_t> SmallCount(const std::vector<int64_t>& shape);

// Returns nothing if the dtype is not foldable or the tensor is too large.
std::optional<KnownTensor> ReadKnown(const ir::TensorData& data);

std::shared_ptr<const ir::TensorData> ToTensorData(const KnownTensor& tensor);

}  // namespace onnxport::onnx_ops

#endif  // ONNXPORT_RUNTIME_ONNX_KNOWN_TENSOR_H_
