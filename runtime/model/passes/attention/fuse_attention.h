#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_FUSE_ATTENTION_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_FUSE_ATTENTION_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Makes Attention of what spells it out (spelled_attention.h), in float32 and from opset 23 on:
//  1. Heads of keys and values that are repeated for those of the queries are taken as they are; by an Attention that
//  is
//     there already, too.
//  2. A mask that is known to be causal becomes the attribute, another one the input.
//  3. Weights that are used otherwise, too, are its output `qk_matmul_output`.
//  4. Where a mask may hide a row altogether, the row of both is NaN behind the node, too: the operator gives 0.
// Returns whether anything changed.
bool FuseAttention(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_FUSE_ATTENTION_H_
