// Makes constant shapes for Reshape.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_RESHAPE_SHAPE_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_RESHAPE_SHAPE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// The shape with which Reshape (allowzero=0) turns a tensor of shape `input` into `wanted`: 0 for the input's own
// dimension at that position, -1 for the remaining one. Nothing if that is not right for all sizes at run time.
std::optional<std::vector<int64_t>> ReshapeShape(const ir::Dims& input, const ir::Dims& wanted,
                                                 const ir::Ranges& ranges);

// Returns a Constant node with these int64 numbers.
ir::Node IntsConstant(const std::vector<int64_t>& ints, ir::LocationId location, ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_RESHAPE_SHAPE_H_
