#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_MERGE_DUPLICATES_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_MERGE_DUPLICATES_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Computes the same thing once. Returns whether anything changed.
//  1. Nodes of one operator with the same inputs and attributes: uses of the later one's results become the earlier
//     one's. Constants are such nodes; their bytes are compared.
//  2. Weights that share their bytes, dtype and shape (tied weights): uses become the first one's.
// Nodes that draw random numbers stay, and those of users' domains whose schema does not say that they are `pure`.
bool MergeDuplicates(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_MERGE_DUPLICATES_H_
