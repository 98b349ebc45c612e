#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_FUSE_OPERATORS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_FUSE_OPERATORS_H_

#include <string>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Fuses float32 arithmetic to one operator, in opsets that have it: Gelu, LayerNormalization, RMSNormalization. Sums
// and products may then have another order, so the last bits may differ. The table has the patterns. Returns true if
// anything changed.
bool FuseOperators(ir::Graph* graph);

// The same for SwiGLU, x * sigmoid(x) * y, which few runtimes have. Only on request.
bool FuseGatedUnits(ir::Graph* graph);

// The nearest candidate in a graph without the operator, and why it is none (nearest_node.h).
std::string WhyNoRmsNorm(const ir::Graph& graph);
std::string WhyNoGatedUnit(const ir::Graph& graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_FUSE_OPERATORS_H_
