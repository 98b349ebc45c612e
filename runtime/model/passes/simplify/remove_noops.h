#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_REMOVE_NOOPS_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_REMOVE_NOOPS_H_

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// Removes nodes that give back what they got: uses of the result become the input. Returns whether anything changed.
//  1. Identity; Cast to the dtype it has; Concat of one tensor; Dropout, which is off in an exported model, unless its
//     mask is used.
//  2. Transpose that keeps the order of the axes.
//  3. Expand and Tile to the shape it has; Slice with steps of 1 to the shape it has.
//  4. Reshape, Flatten, Squeeze, Unsqueeze, or a chain of them, to a shape that it had before.
//  5. Neg of Neg, Not of Not: uses of the second become the input of the first.
// Shapes are equal when every dimension is, whatever the symbols stand for.
bool RemoveNoops(ir::Graph* graph);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_SIMPLIFY_REMOVE_NOOPS_H_
