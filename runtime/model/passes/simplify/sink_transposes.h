#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_SINK_TRANSPOSES_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_SINK_TRANSPOSES_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// `Transpose(f(Transpose(x), Transpose(y), c))` becomes one Transpose of `f(x, y, c)`, which `RemoveNoops` removes when
// the order is x's again. f: nodes that compute element by element and are used by nothing else; c: a single number;
// the inner Transposes have one order. Returns whether anything changed.
bool SinkTransposes(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_SINK_TRANSPOSES_H_
