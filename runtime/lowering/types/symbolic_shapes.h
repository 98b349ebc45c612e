// Dimensions that ONNX's inference loses when sizes are symbols.
#ifndef ONNXPORT_RUNTIME_LOWERING_TYPES_SYMBOLIC_SHAPES_H_
#define ONNXPORT_RUNTIME_LOWERING_TYPES_SYMBOLIC_SHAPES_H_

#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/lowering/types/inference.h"

namespace onnxport::lowering {

// Fills unknown dimensions of the results where they follow from symbolic ones of the inputs: Concat, Reshape, Expand,
// Slice, Split, SplitToSequence, Pad, Tile, Flatten, Conv and pooling. What is known already stays.
void RepairShapes(const ir::Graph& graph, const ir::Node& node, std::vector<InferredType>* types);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_TYPES_SYMBOLIC_SHAPES_H_
