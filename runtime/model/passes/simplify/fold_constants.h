#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_FOLD_CONSTANTS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_FOLD_CONSTANTS_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Folds constants. Returns true if anything changed.
//  1. A node on known tensors (Constant nodes, constants of the program, small integer weights, folded results) becomes
//     a Constant, if `Evaluate` can compute it. A large result with one repeated number is not folded, because the node
//     is smaller.
//  2. A node whose result is known from symbolic arithmetic (`contents`, all numbers) becomes a Constant.
//  3. `x + 0`, `x - 0`, `x * 1`, `x / 1` of integers with x's shape: x replaces the result.
// Float parameters and buffers of any size stay, because users look for them.
bool FoldConstants(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_FOLD_CONSTANTS_H_
