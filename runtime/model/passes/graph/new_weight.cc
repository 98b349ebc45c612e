#include "runtime/model/passes/graph/new_weight.h"

#include <utility>

namespace onnxport::passes {

ir::ValueId AddValueLike(ir::Graph* graph, const ir::TensorData& like) {
  ir::Value value;
  value.dtype = like.dtype;
  value.dims = ir::Dims(like.shape.begin(), like.shape.end());
  return graph->AddValue(std::move(value));
}

ir::ValueId AddWeight(ir::Graph* graph, std::shared_ptr<const ir::TensorData> data, std::string name, bool constant) {
  const ir::ValueId id = AddValueLike(graph, *data);
  graph->weights.push_back({.value = id, .name = std::move(name), .data = std::move(data), .constant = constant});
  return id;
}

}  // namespace onnxport::passes
