// Turns nodes that only move elements into expressions with other maps.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_MOVE_EXPRESSION_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_MOVE_EXPRESSION_H_

#include <cstdint>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/model/passes/packed/expression.h"

namespace onnxport::passes {

// A node with one result, and its input expressions.
struct Operation {
  const ir::Node& node;
  std::vector<ExpressionRef> inputs;  // at least one; none is null
  std::vector<int64_t> shape;         // of the result
  ir::DType dtype;
};

// Returns the result; null if it is no expression.
using Mover = ExpressionRef (*)(const Operation& made);

// Null for a node that does more than move elements.
Mover MoverOf(const ir::Node& node);

// Broadcasts to the shape.
ExpressionRef Spread(const ExpressionRef& whole, const std::vector<int64_t>& shape);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_MOVE_EXPRESSION_H_
