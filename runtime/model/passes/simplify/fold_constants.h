#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_FOLD_CONSTANTS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_FOLD_CONSTANTS_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Computes what constants determine. Returns whether anything changed.
//  1. A node on known tensors (Constant nodes, constants of the program, small integer weights, folded results) becomes
//     a Constant, as far as `Evaluate` goes. A large result of one number repeated stays computed: that is shorter.
//  2. A node whose result is known from symbolic arithmetic (`contents`, all numbers) becomes a Constant.
//  3. `x + 0`, `x - 0`, `x * 1`, `x / 1` of integers, of x's shape: uses of the result become x.
// Parameters and buffers of floats stay what they are, whatever their size: users look for them.
bool FoldConstants(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_FOLD_CONSTANTS_H_
