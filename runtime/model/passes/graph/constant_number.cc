#include "runtime/model/passes/graph/constant_number.h"

#include "runtime/ir/read_node.h"

namespace onnxport::passes {

std::optional<onnx_ops::KnownTensor> ConstantElements(const Producers& producers, ir::ValueId id) {
  const ir::Node* node = id == ir::ValueId::kNone ? nullptr : producers.Of(id);
  const auto data = node == nullptr ? nullptr : ir::ConstantTensor(*node);
  return data == nullptr ? std::nullopt : onnx_ops::ReadKnown(*data);
}

std::optional<double> ConstantNumber(const ir::Graph& graph, const Producers& producers, ir::ValueId id) {
  // This is called for every operand, so it must not read a constant of many elements.
  if (id == ir::ValueId::kNone || !ir::IsFloat(graph.value(id).dtype)) return std::nullopt;
  const auto& dims = graph.value(id).dims;
  if (!dims) return std::nullopt;
  for (const ir::Dim& dim : *dims) {
    if (!(dim == ir::Dim(1))) return std::nullopt;
  }
  const auto elements = ConstantElements(producers, id);
  return elements ? std::optional(onnx_ops::ToFloat(elements->elements[0])) : std::nullopt;
}

}  // namespace onnxport::passes
