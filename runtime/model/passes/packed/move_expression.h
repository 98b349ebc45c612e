// Nodes that only move elements, as expressions of other places.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_MOVE_EXPRESSION_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_MOVE_EXPRESSION_H_

#include <cstdint>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/model/passes/packed/expression.h"

namespace onnxport::passes {

// A node with one result, and the expressions that it takes.
struct Operation {
  const ir::Node& node;
  std::vector<ExpressionRef> inputs;  // at least one, and none is null
  std::vector<int64_t> shape;         // of the result
  ir::DType dtype;
};

// Gives the result; null when it is no expression.
using Mover = ExpressionRef (*)(const Operation& made);

// Null for a node that does not only move elements.
Mover MoverOf(const ir::Node& node);

// Broadcast to the shape.
ExpressionRef Spread(const ExpressionRef& whole, const std::vector<int64_t>& shape);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_MOVE_EXPRESSION_H_
