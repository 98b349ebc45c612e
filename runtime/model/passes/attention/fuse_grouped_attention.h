#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_FUSE_GROUPED_ATTENTION_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_FUSE_GROUPED_ATTENTION_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Makes com.microsoft.GroupQueryAttention of an Attention whose keys and values are those of a cache and, behind them,
// the new ones: it joins them itself, and gives the longer cache. In float32, and as far as ONNX Runtime's kernel goes:
// one sequence, or one new place for each of several.
//  1. A mask that is known to hide what comes later alone is what the operator does, another one an input.
//  2. Queries and keys are rotated as [batch, places, heads * features], so that nothing is transposed.
// Returns whether anything changed.
bool FuseGroupedAttention(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_FUSE_GROUPED_ATTENTION_H_
