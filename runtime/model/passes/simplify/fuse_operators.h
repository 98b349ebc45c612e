#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_FUSE_OPERATORS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_FUSE_OPERATORS_H_

#include <string>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Makes one operator of float32 arithmetic that spells it out, in opsets that have it: Gelu, LayerNormalization,
// RMSNormalization. Sums and products are in another order then, so that last bits differ; see the table for the forms.
// Returns whether anything changed.
bool FuseOperators(ir::Graph* graph);

// The same with SwiGLU, x * sigmoid(x) * y, which few runtimes have: for who asks for it.
bool FuseGatedUnits(ir::Graph* graph);

// The nearest candidate in a graph without the operator, and why it is none (nearest_node.h).
std::string WhyNoRmsNorm(const ir::Graph& graph);
std::string WhyNoGatedUnit(const ir::Graph& graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_FUSE_OPERATORS_H_
