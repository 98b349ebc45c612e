// Expressions of constants as tensors, computed while they are read.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_EXPRESSION_TENSOR_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_EXPRESSION_TENSOR_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/model/passes/packed/element_map.h"
#include "runtime/model/passes/packed/expression.h"

namespace onnxport::passes {

// A number for each group of elements. They are held while the model is there: a byte for each group.
using GroupOffsets = std::shared_ptr<const std::vector<uint8_t>>;

// The elements of `whole`, and to each is added the number of its group, which the map says; null: nothing. As integers
// of 2, 4 or 8 bits, which all are known to be.
std::shared_ptr<const ir::TensorData> IntegerTensor(ExpressionRef whole, ir::DType dtype, GroupOffsets added,
                                                    ElementMap groups);

// The numbers of the groups alone, in their order.
std::shared_ptr<const ir::TensorData> IntegerTensor(GroupOffsets numbers, ir::DType dtype, std::vector<int64_t> shape);

// The elements that the map of a constant names.
std::shared_ptr<const ir::TensorData> ViewedTensor(const Expression::Constant& constant);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_EXPRESSION_TENSOR_H_
