#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_REMOVE_NOOPS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_REMOVE_NOOPS_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Removes nodes that return their input: the input replaces the result. Returns true if anything changed.
//  1. Identity; Cast to the same dtype; Concat of one tensor; Dropout, which is off in an exported model, unless its
//     mask is used.
//  2. Transpose that keeps the order of the axes.
//  3. Expand and Tile to the same shape; Slice with steps of 1 to the same shape.
//  4. Reshape, Flatten, Squeeze, Unsqueeze, or a chain of them, back to an earlier shape.
//  5. Neg of Neg, Not of Not: the input of the first replaces the second.
// Shapes are equal if every dimension is equal for all values of the symbols.
bool RemoveNoops(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_REMOVE_NOOPS_H_
