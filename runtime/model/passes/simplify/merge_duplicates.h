#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_MERGE_DUPLICATES_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_MERGE_DUPLICATES_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Merges equal computations. Returns true if anything changed.
//  1. Nodes with the same operator, inputs and attributes: the earlier one's results replace the later one's. Constants
//     are such nodes; their bytes are compared.
//  2. Weights with the same bytes, dtype and shape (tied weights): the first one replaces the others.
// Nodes that draw random numbers are not merged, nor are nodes of users' domains whose schema does not say `pure`.
bool MergeDuplicates(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_MERGE_DUPLICATES_H_
