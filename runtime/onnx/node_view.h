// Short ways to what a node's inputs and attributes say.
#ifndef ONNXPORT_RUNTIME_ONNX_NODE_VIEW_H_
#define ONNXPORT_RUNTIME_ONNX_NODE_VIEW_H_

#include <optional>
#include <string_view>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/ir/read_node.h"

namespace onnxport::onnx_ops {

struct NodeView {
  const ir::Graph& graph;
  const ir::Node& node;

  // Null when absent.
  const ir::Value* Input(size_t i) const {
    const ir::ValueId id = InputAt(node, i);
    return id == ir::ValueId::kNone ? nullptr : &graph.value(id);
  }
  const ir::Dims* Shape(size_t i) const {
    const ir::Value* value = Input(i);
    return value && value->dims ? &*value->dims : nullptr;
  }
  const ir::Dims* Elements(size_t i) const {
    const ir::Value* value = Input(i);
    return value && value->contents ? &*value->contents : nullptr;
  }
  // Elements that are all numbers; nothing otherwise.
  std::optional<std::vector<int64_t>> Numbers(size_t i) const {
    const ir::Dims* elements = Elements(i);
    return elements ? AllNumbers(*elements) : std::nullopt;
  }

  const ir::Arg* Attribute(std::string_view name) const { return FindAttribute(node, name); }
  int64_t Int(std::string_view name, int64_t otherwise) const { return IntAttribute(node, name, otherwise); }
  std::optional<std::vector<int64_t>> Ints(std::string_view name) const { return IntsAttribute(node, name); }
  // A list that some opsets take as an attribute and others as an input: elements, or null when absent.
  std::optional<ir::Dims> List(std::string_view attribute, size_t input) const {
    if (const auto numbers = Ints(attribute)) return ir::Dims(numbers->begin(), numbers->end());
    const ir::Dims* elements = Elements(input);
    return elements ? std::optional(*elements) : std::nullopt;
  }
  bool Has(std::string_view attribute, size_t input) const { return Attribute(attribute) || Input(input); }
  // The only element of such a list; `otherwise` when it is absent, nothing when it is not known.
  std::optional<int64_t> One(std::string_view attribute, size_t input, int64_t otherwise) const {
    if (!Has(attribute, input)) return otherwise;
    const auto list = List(attribute, input);
    if (!list || list->size() != 1 || !list->front().is_number()) return std::nullopt;
    return list->front().number();
  }

  // Returns true if the size cannot be negative, in the ranges of the graph.
  bool NotNegative(const ir::Dim& dim) const {
    if (dim.is_unknown()) return false;
    const ir::Range range = dim.Bounds(graph.ranges);
    return range.min && *range.min >= 0;
  }

  static std::optional<std::vector<int64_t>> AllNumbers(const ir::Dims& dims) {
    std::vector<int64_t> numbers;
    for (const ir::Dim& dim : dims) {
      if (!dim.is_number()) return std::nullopt;
      numbers.push_back(dim.number());
    }
    return numbers;
  }
};

}  // namespace onnxport::onnx_ops

#endif  // ONNXPORT_RUNTIME_ONNX_NODE_VIEW_H_
