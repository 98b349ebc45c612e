#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_SIMPLIFY_SHAPES_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_SIMPLIFY_SHAPES_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Replaces shapes that the model would compute by constants with the same result. Returns whether anything changed.
// 1. Reshape: a computed dimension that is x's own at that position becomes 0 ("as in x"). One other becomes -1 ("the
//    rest") when no dimension can be 0 at run time, or when it is the only one that is computed.
// 2. Expand: a computed dimension that is x's own becomes 1, as x decides it.
//
// Other shapes that are computed are left alone.
bool SimplifyShapes(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_SIMPLIFY_SHAPES_H_
