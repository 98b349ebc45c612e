#include "runtime/model/passes/graph/weight_index.h"

namespace onnxport::passes {

WeightIndex::WeightIndex(ir::Graph* graph) : graph_(graph) {
  for (size_t i = 0; i < graph->weights.size(); ++i) places_.emplace(graph->weights[i].value, i);
}

ir::Weight* WeightIndex::Find(ir::ValueId id) const {
  const auto found = places_.find(id);
  return found == places_.end() ? nullptr : &graph_->weights[found->second];
}

std::string WeightIndex::JoinedName(std::initializer_list<ir::ValueId> ids) const {
  std::string joined;
  for (const ir::ValueId id : ids) {
    const ir::Weight* weight = Find(id);
    if (weight != nullptr && !weight->name.empty()) joined += (joined.empty() ? "" : "+") + weight->name;
  }
  return joined;
}

}  // namespace onnxport::passes
