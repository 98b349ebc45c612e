#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_SINK_TRANSPOSES_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_SINK_TRANSPOSES_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// `Transpose(f(Transpose(x), Transpose(y), c))` becomes one Transpose of `f(x, y, c)`. If the order is x's again,
// `RemoveNoops` removes it. f are nodes that compute element by element and have no other use, c is a single number,
// and the inner Transposes have the same order. Returns true if anything changed.
bool SinkTransposes(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_SINK_TRANSPOSES_H_
