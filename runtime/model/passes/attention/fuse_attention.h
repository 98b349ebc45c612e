#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_FUSE_ATTENTION_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_FUSE_ATTENTION_H_

#include <string>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Fuses the nodes that spell out an attention (spelled_attention.h) into Attention, in float32 and from opset 23 on.
// Returns whether anything changed.
//
// 1. It takes heads of keys and values without the repetition for the heads of the queries. An Attention that is
//    already there does so as well.
// 2. A mask that is known to be causal becomes the attribute. Any other mask is the input.
// 3. If something else uses the weights, the output `qk_matmul_output` gives them.
// 4. In a row that the mask hides altogether, the program has NaN and the operator gives 0: a Where puts the NaN back.
bool FuseAttention(ir::Graph* graph);

// Names the nearest candidate in a graph without attention, and why it is none: "the nearest is the MatMul of a Softmax
// at model.py:12, but the mask is not float32". Empty where nothing is near. Constants must still be nodes.
std::string WhyNoAttention(const ir::Graph& graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_FUSE_ATTENTION_H_
