#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_MERGE_RESHAPES_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_MERGE_RESHAPES_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Of two nodes in a row that only reshape (Reshape, Flatten, Squeeze, Unsqueeze), the second reads what the first
// reads, where one node says the same. Returns whether anything changed.
//  1. Unsqueeze after Unsqueeze adds the axes of both: x[:, None][:, :, None].
//  2. A Reshape to a shape of numbers does not ask what it is of.
//  3. The others become a Reshape where its shape can be a constant, and, so that there is one node less, nothing else
//     uses the first one, or the second is a Reshape anyway.
bool MergeReshapes(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_MERGE_RESHAPES_H_
