// Expressions of constants, element by element.
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

// Nodes that only move elements are in none of the forms: they are in the maps of what they move. So all operands have
// the shape of the whole.
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
  // Each element is that of one of the operands: of number choices[i], where the map says i.
  struct Chosen {
    std::shared_ptr<const std::vector<size_t>> choices;
    ElementMap map;
    std::vector<ExpressionRef> operands;
  };

  ir::DType dtype = ir::DType::kUndefined;
  std::vector<int64_t> shape;  // without a 0
  int depth = 0;               // of operands of operands
  std::variant<Constant, Computed, Chosen> form;
};

// None of a constant.
std::span<const ExpressionRef> OperandsOf(const Expression& whole);

// The same elements, seen otherwise: `move` changes the map of each constant and choice. Null when it cannot.
ExpressionRef Moved(const ExpressionRef& whole, const std::function<bool(ElementMap* map)>& move);

// One with operands; null when it would be too deep: expressions are walked by functions that call themselves.
ExpressionRef Combined(Expression whole);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_EXPRESSION_H_
