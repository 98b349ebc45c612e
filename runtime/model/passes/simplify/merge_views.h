#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_MERGE_VIEWS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_MERGE_VIEWS_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Merges a chain of Transposes and nodes that only reshape to one node, if one can do the same. Returns true if
// anything changed.
// 1. A chain that keeps the order of the elements becomes a Reshape. A Transpose that only moves axes of size 1 is one.
// 2. A chain that only moves axes becomes a Transpose.
// 3. A chain that turns blocks of channels into blocks of pixels becomes DepthToSpace, in either mode. The inverse
//    becomes SpaceToDepth.
// 4. A Reshape that splits axes, a Transpose, and a Reshape that joins them become a Transpose of whole axes and a
//    Reshape. For example, [n, s, h*d] goes over [n, s, h, d] and [s, n, h, d] to [s*n, h*d]. Instead, a Transpose to
//    [s, n, h*d] and a Reshape are enough.
// 2 to 4 only apply if nothing else uses the earlier nodes, because a Transpose costs more than a Reshape.
bool MergeViews(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_MERGE_VIEWS_H_
