// A small integer or bool tensor that is known while exporting.
#ifndef ONNXPORT_RUNTIME_PASSES_INT_TENSOR_H_
#define ONNXPORT_RUNTIME_PASSES_INT_TENSOR_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Larger results stay computations of the model: a mask of megabytes is cheaper to compute than to store.
inline constexpr int64_t kMostElements = 1024;

struct IntTensor {
  ir::DType dtype = ir::DType::kInt64;  // one that `IsFoldable` takes
  std::vector<int64_t> shape;
  std::vector<int64_t> elements;  // row-major; bool: 0 or 1

  friend bool operator==(const IntTensor&, const IntTensor&) = default;
};

// bool and the integers whose values an int64 can hold.
bool IsFoldable(ir::DType dtype);

// The number as the dtype would hold it: two's complement, wrapped; bool: whether it is not 0.
int64_t Wrap(int64_t number, ir::DType dtype);

// Product of the dimensions; nothing when one is negative or the product is above kMostElements.
std::optional<int64_t> SmallCount(const std::vector<int64_t>& shape);

// Nothing for a dtype that is not foldable or a tensor that is too large.
std::optional<IntTensor> ReadInts(const ir::TensorData& data);

std::shared_ptr<const ir::TensorData> ToTensorData(const IntTensor& tensor);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_PASSES_INT_TENSOR_H_
