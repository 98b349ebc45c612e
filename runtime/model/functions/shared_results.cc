#include "runtime/model/functions/shared_results.h"

#include <algorithm>

#include "runtime/model/functions/partition.h"

namespace onnxport::functions {
namespace {

bool IsSize(const ir::Value& value) {
  return value.dtype == ir::DType::kInt64 && value.dims && value.dims->size() <= 1;
}

}  // namespace

void ReleaseShared(const ir::Graph& graph, const std::vector<ir::Node>& nodes,
                   const std::vector<std::vector<size_t>>& needs, const Knowledge& known, std::vector<int>* modules) {
  const std::vector<int> own = *modules;
  std::vector<bool> takes_weight(nodes.size());
  std::vector<bool> used_inside(nodes.size());
  std::vector<bool> used_outside(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    ForEachUse(nodes[i], [&](ir::ValueId id) {
      if (known.origins[static_cast<size_t>(id)] == Origin::kWeight) takes_weight[i] = true;
    });
    for (const size_t made : needs[i]) {
      const bool inside = own[made] == own[i];
      if (inside && takes_weight[made]) takes_weight[i] = true;
      (inside ? used_inside : used_outside)[made] = true;
    }
  }
  std::vector<bool> released(nodes.size());
  // From the last to the first: a node that is taken out takes its inputs along.
  for (size_t i = nodes.size(); i-- > 0;) {
    if (own[i] == kNoModule || takes_weight[i]) continue;
    const auto& outputs = nodes[i].outputs;
    const bool outside = used_outside[i] || std::ranges::any_of(outputs, [&](ir::ValueId id) {
                           return id != ir::ValueId::kNone && known.leaves[static_cast<size_t>(id)];
                         });
    const bool is_size = outputs.size() == 1 && IsSize(graph.value(outputs[0]));
    if (!released[i] && !(outside && (used_inside[i] || is_size))) continue;
    (*modules)[i] = kNoModule;
    for (const size_t made : needs[i]) {
      if (own[made] == own[i]) released[made] = true;
    }
  }
}

}  // namespace onnxport::functions
