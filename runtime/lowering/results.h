// Results of a lowered call, held against what the source says of them.
#ifndef ONNXPORT_RUNTIME_LOWERING_RESULTS_H_
#define ONNXPORT_RUNTIME_LOWERING_RESULTS_H_

#include "runtime/ir/graph.h"
#include "runtime/lowering/bindings.h"
#include "runtime/lowering/val.h"

namespace onnxport::lowering {

class Emitter;

// Binds what a call gave to its results in the source graph. Dimensions and contents that the source states are kept.
// Throws Refusal when dtype, rank or a dimension contradicts the source, or a free axis became fixed: such a model
// would be wrong.
void BindResults(const ir::Graph& aten, const ir::Node& call, const Vals& results, Emitter* emitter,
                 Bindings* bindings);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_RESULTS_H_
