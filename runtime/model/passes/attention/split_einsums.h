// Products of attention that are written as Einsum.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_SPLIT_EINSUMS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_SPLIT_EINSUMS_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Replaces the Einsum of a Softmax's result, and the Einsum whose scores that Softmax takes, by MatMul between
// Transposes. Each has four axes, of which two are a batch: "bqhd,bkhd->bhqk" and "bhqk,bkhd->bqhd". One without the
// other stays. Returns whether there were any.
bool SplitEinsums(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_ATTENTION_SPLIT_EINSUMS_H_
