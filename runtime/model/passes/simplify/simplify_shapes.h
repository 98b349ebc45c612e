#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_SIMPLIFY_SHAPES_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_SIMPLIFY_SHAPES_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Replaces computed shapes by constants with the same result. Returns true if anything changed.
// 1. Reshape: a computed dimension that equals x's own at that position becomes 0 ("as in x"). One other becomes -1
//    ("the rest") if no dimension can be 0 at run time, or if it is the only computed one.
// 2. Expand: a computed dimension that equals x's own becomes 1, so that x decides it.
//
// Other computed shapes are left alone.
bool SimplifyShapes(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_SIMPLIFY_SHAPES_H_
