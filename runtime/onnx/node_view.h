// Short ways to read the inputs and attributes of a node.
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

  // Returns null if the input is absent.
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
  // Returns the elements if all are numbers; nothing otherwise.
  std::optional<std::vector<int64_t>> Numbers(size_t i) const {
    const ir::Dims* elements = Elements(i);
    return elements ? AllNumbers(*elements) : std::nullopt;
  }

  const ir::Arg* Attribute(std::string_view name) const { return FindAttribute(node, name); }
  int64_t Int(std::string_view name, int64_t otherwise) const { return IntAttribute(node, name, otherwise); }
  std::optional<std::vector<int64_t>> Ints(std::string_view name) const { return IntsAttribute(node, name); }
  // Returns the elements of a list that is an attribute at some opsets and an input at others; nothing if it is absent
  // or unknown.
  std::optional<ir::Dims> List(std::string_view attribute, size_t input) const {
    if (const auto numbers = Ints(attribute)) return ir::Dims(numbers->begin(), numbers->end());
    const ir::Dims* elements = Elements(input);
    return elements ? std::optional(*elements) : std::nullopt;
  }
  bool Has(std::string_view attribute, size_t input) const { return Attribute(attribute) || Input(input); }
  // Returns the only element of such a list; `otherwise` if it is absent, nothing if it is unknown.
  std::optional<int64_t> One(std::string_view attribute, size_t input, int64_t otherwise) const {
    if (!Has(attribute, input)) return otherwise;
    const auto list = List(attribute, input);
    if (!list || list->size() != 1 || !list->front().is_number()) return std::nullopt;
    return list->front().number();
  }

  // Returns true if the size cannot be negative within the ranges of the graph.
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
