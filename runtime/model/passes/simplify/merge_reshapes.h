#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_MERGE_RESHAPES_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_MERGE_RESHAPES_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// If two consecutive nodes only reshape (Reshape, Flatten, Squeeze, Unsqueeze), the second reads the input of the
// first, if one node can do the same. Returns true if anything changed.
// 1. Unsqueeze after Unsqueeze adds the axes of both: x[:, None][:, :, None].
// 2. A Reshape to a shape of numbers does not depend on the shape of its input.
// 3. The others become a Reshape if its shape can be a constant. To save a node, nothing else may use the first one, or
//    the second must be a Reshape already.
bool MergeReshapes(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_MERGE_RESHAPES_H_
