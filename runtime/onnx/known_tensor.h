// A small tensor that is known while exporting.
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

// Larger results stay computations of the model: a mask of megabytes is cheaper to compute than to store.
inline constexpr int64_t kMostElements = int64_t{1} << 14;

struct KnownTensor {
  ir::DType dtype = ir::DType::kInt64;  // one that `IsFoldable` takes
  std::vector<int64_t> shape;
  std::vector<int64_t> elements;  // row-major; bool: 0 or 1; floats: `FromFloat`

  friend bool operator==(const KnownTensor&, const KnownTensor&) = default;
};

// bool, the integers whose values an int64 can hold, float32 and float64.
bool IsFoldable(ir::DType dtype);

// The integer as the dtype would hold it: two's complement, wrapped; bool: whether it is not 0. Floats: as it is.
int64_t Wrap(int64_t number, ir::DType dtype);
void Wrap(std::span<int64_t> numbers, ir::DType dtype);

// A float as an element.
inline int64_t FromFloat(double number) { return std::bit_cast<int64_t>(number); }
inline double ToFloat(int64_t element) { return std::bit_cast<double>(element); }

// Product of the dimensions; nothing when one is negative or the product is above kMostElements.
std::optional<int64_t> SmallCount(const std::vector<int64_t>& shape);

// Nothing for a dtype that is not foldable or a tensor that is too large.
std::optional<KnownTensor> ReadKnown(const ir::TensorData& data);

std::shared_ptr<const ir::TensorData> ToTensorData(const KnownTensor& tensor);

}  // namespace onnxport::onnx_ops

#endif  // ONNXPORT_RUNTIME_ONNX_KNOWN_TENSOR_H_
