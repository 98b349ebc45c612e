#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_JOIN_HEADS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_JOIN_HEADS_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Lets an Attention [batch, heads, places, features] take and give three axes, [batch, places, heads * features]. It
// does so where the program divides the heads in front of it and joins them behind it. For queries, keys, values and
// the result that takes no more nodes than before, and mostly none.
// 1. A RotaryEmbedding in front of it gets three axes as well.
// 2. A Where behind it that has a number in place of whole rows goes in front of the division.
//
// Returns whether anything changed.
bool JoinHeads(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_JOIN_HEADS_H_
