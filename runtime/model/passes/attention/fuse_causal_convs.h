#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_FUSE_CAUSAL_CONVS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_FUSE_CAUSAL_CONVS_H_

#include <string>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Makes CausalConvWithState, in float32 and from opset 27 on, of a Conv of each channel by itself that looks back only:
//  1. over what is kept of the last run and what is new, joined; over zeros and what is new; or over zeros on both
//  sides,
//     of which the results that look ahead are cut off.
//  2. With x * sigmoid(x) behind it, if there is.
//  3. The last places of what is joined, to be kept for the next run, are its second result.
// Returns whether anything changed.
bool FuseCausalConvs(ir::Graph* graph);

// The nearest candidate in a graph without such a Conv, and why it is none (nearest_node.h).
std::string WhyNoCausalConv(const ir::Graph& graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_FUSE_CAUSAL_CONVS_H_
