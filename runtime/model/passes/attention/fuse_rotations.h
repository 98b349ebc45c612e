#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_FUSE_ROTATIONS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_FUSE_ROTATIONS_H_

#include <string>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Makes one RotaryEmbedding (opset 23) of what rotates pairs of features (rotation_pattern.h), where the angles are
// those of a place, the same for all heads. Sums may be fused with products then, so that last bits differ. In blocks
// of If and Loop all stays as it is. Returns whether anything changed.
bool FuseRotations(ir::Graph* graph);

// The nearest candidate in a graph without a rotation, and why it is none (nearest_node.h).
std::string WhyNoRotary(const ir::Graph& graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_FUSE_ROTATIONS_H_
