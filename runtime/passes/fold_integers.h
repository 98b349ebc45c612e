#ifndef ONNXPORT_RUNTIME_PASSES_FOLD_INTEGERS_H_
#define ONNXPORT_RUNTIME_PASSES_FOLD_INTEGERS_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Computes integer and shape arithmetic while exporting. Never floats: their last bits differ between machines.
// Returns whether anything changed.
//  1. A node on known integers (Constant nodes, small integer weights, folded results) becomes a Constant.
//  2. A node whose result is known from symbolic arithmetic (`contents`, all numbers) becomes a Constant.
//  3. `x + 0`, `x - 0`, `x * 1`, `x / 1` of integers, of x's shape: uses of the result become x.
bool FoldIntegers(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_PASSES_FOLD_INTEGERS_H_
