// Values of a graph that are computed from constants, as expressions whose elements can be computed a few at a time.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_CONSTANT_EXPRESSION_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_CONSTANT_EXPRESSION_H_

#include <memory>
#include <unordered_map>

#include "runtime/ir/graph.h"
#include "runtime/model/passes/packed/expression.h"

namespace onnxport::passes {

// Expressions for the nodes of the graph's body. They consist of integers, and of floats that are integers, whose sums,
// differences and casts are exact. The last operation may also be a product of floats. Valid while no weight is erased.
class ConstantExpressions {
 public:
  explicit ConstantExpressions(const ir::Graph& graph);
  // Null for a value that has none.
  ExpressionRef Find(ir::ValueId id);
  // The data of a weight or Constant; null for anything else.
  const ir::TensorData* DataOf(ir::ValueId id) const;

 private:
  void Make(const ir::Node& node);

  const ir::Graph& graph_;
  std::unordered_map<ir::ValueId, std::shared_ptr<const ir::TensorData>> weights_;  // also of constants
  std::unordered_map<ir::ValueId, ExpressionRef> made_;
};

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_CONSTANT_EXPRESSION_H_
