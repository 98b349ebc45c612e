#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_MERGE_VIEWS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_MERGE_VIEWS_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Makes one node of a chain of Transpose and nodes that only reshape, where one does the same. Returns whether anything
// changed.
// 1. A chain that keeps the order of the elements becomes a Reshape: a Transpose that moves axes of size 1 only, too.
// 2. A chain that only moves axes becomes a Transpose.
// 3. Blocks of channels that become blocks of pixels: DepthToSpace, in either mode; the way back: SpaceToDepth.
// 4. Where a Reshape divides axes, a Transpose moves them and a Reshape joins them again, the Transpose is of whole
//    axes. For example, [n, s, h*d] by [n, s, h, d] and [s, n, h, d] to [s*n, h*d] takes one to [s, n, h*d] and a
//    Reshape.
// 2 to 4 only where nothing else uses the nodes before: a Transpose has a cost that a Reshape has not.
bool MergeViews(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_MERGE_VIEWS_H_
