// Expressions over constants that are computed element by element.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_EXPRESSION_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_EXPRESSION_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/model/passes/packed/element_map.h"

namespace onnxport::passes {

struct Expression;
using ExpressionRef = std::shared_ptr<const Expression>;

// Nodes that only move elements are not in an expression, but in the maps of its constants. So all operands have the
// shape of the whole expression.
struct Expression {
  // Elements of a weight or constant.
  struct Constant {
    std::shared_ptr<const ir::TensorData> data;
    ElementMap map;
  };
  // An operator that computes element by element, with its attributes.
  struct Computed {
    std::shared_ptr<const ir::Node> node;
    std::vector<ExpressionRef> operands;
  };
  // Each element comes from one of the operands: operand choices[i], where the map gives i.
  struct Chosen {
    std::shared_ptr<const std::vector<size_t>> choices;
    ElementMap map;
    std::vector<ExpressionRef> operands;
  };

  ir::DType dtype = ir::DType::kUndefined;
  std::vector<int64_t> shape;  // without a 0
  int depth = 0;               // depth of nested operands
  std::variant<Constant, Computed, Chosen> form;
};

// Empty for a constant.
std::span<const ExpressionRef> OperandsOf(const Expression& whole);

// Another view of the same elements: `move` changes the map of each constant and choice. Null if it cannot.
ExpressionRef Moved(const ExpressionRef& whole, const std::function<bool(ElementMap* map)>& move);

// An expression with operands; null if it would be too deep for the recursive functions that walk over it.
ExpressionRef Combined(Expression whole);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_EXPRESSION_H_
