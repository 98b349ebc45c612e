// Turns expressions over constants into tensors, which are computed while they are read.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_EXPRESSION_TENSOR_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_EXPRESSION_TENSOR_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/model/passes/packed/element_map.h"
#include "runtime/model/passes/packed/expression.h"

namespace onnxport::passes {

// A number for each group of elements, one byte each. They stay in memory as long as the model.
using GroupOffsets = std::shared_ptr<const std::vector<uint8_t>>;

// The elements of `whole`. The number of its group, found with the map, is added to each; null: nothing is added. They
// are stored as integers of 2, 4 or 8 bits, and must fit.
std::shared_ptr<const ir::TensorData> IntegerTensor(ExpressionRef whole, ir::DType dtype, GroupOffsets added,
                                                    ElementMap groups);

// Only the numbers of the groups, in order.
std::shared_ptr<const ir::TensorData> IntegerTensor(GroupOffsets numbers, ir::DType dtype, std::vector<int64_t> shape);

// The elements that the map of a constant selects.
std::shared_ptr<const ir::TensorData> ViewedTensor(const Expression::Constant& constant);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_EXPRESSION_TENSOR_H_
