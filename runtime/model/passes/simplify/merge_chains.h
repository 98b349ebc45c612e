#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_MERGE_CHAINS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_MERGE_CHAINS_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Reads through a node when the one after it makes up for it. Returns whether anything changed.
//  1. Transpose(Transpose(x)) becomes one Transpose of x; `RemoveNoops` removes it when the order is x's again.
//  2. Gemm of a transposed matrix sets transA or transB, and MatMul of one that is computed becomes such a Gemm.
bool MergeChains(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_MERGE_CHAINS_H_
