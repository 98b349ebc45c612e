// Constant shapes of Reshape.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_RESHAPE_SHAPE_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_RESHAPE_SHAPE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// The shape with which Reshape (allowzero=0) makes `wanted` of a tensor of `input`: 0 for what is the input's own
// dimension at that position, -1 for one that is left. Nothing when that does not say it in every run.
std::optional<std::vector<int64_t>> ReshapeShape(const ir::Dims& input, const ir::Dims& wanted,
                                                 const ir::Ranges& ranges);

// A Constant node of these int64.
ir::Node IntsConstant(const std::vector<int64_t>& ints, ir::LocationId location, ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_RESHAPE_SHAPE_H_
