#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_FUSE_ATTENTION_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_FUSE_ATTENTION_H_

#include <string>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Makes Attention of what spells it out (spelled_attention.h), in float32 and from opset 23 on:
//  1. It takes heads of keys and values without the repetition for the heads of the queries. An Attention that is
//     already there does so as well.
//  2. A mask that is known to be causal becomes the attribute. Any other mask is the input.
//  3. If something else uses the weights, the output `qk_matmul_output` gives them.
//  4. The program has NaN in a row that its mask hides altogether, where the operator gives 0: a Where puts the NaN
//  back.
// Returns whether anything changed.
bool FuseAttention(ir::Graph* graph);

// What is nearest to an attention in a graph that has none, and why it is none: "the nearest is the MatMul of a Softmax
// at model.py:12, but the mask is not float32". Empty where nothing is near. Constants must still be nodes.
std::string WhyNoAttention(const ir::Graph& graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_FUSE_ATTENTION_H_
