#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_MERGE_CHAINS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_MERGE_CHAINS_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Merges a node with the next one if that cancels or absorbs it. Returns true if anything changed.
//  1. Transpose(Transpose(x)) becomes one Transpose of x; if the order is x's again, `RemoveNoops` removes it.
//  2. Gemm of a transposed matrix sets transA or transB. MatMul of a transposed matrix that is computed becomes a Gemm.
bool MergeChains(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_MERGE_CHAINS_H_
