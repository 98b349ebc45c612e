#include "runtime/passes/remove_dead.h"

#include <algorithm>
#include <vector>

namespace onnxport::passes {

bool RemoveDead(ir::Graph* graph) {
  std::vector<bool> used(graph->values.size());
  const auto mark = [&used](const ir::Arg& arg) {
    if (arg.value() != nullptr) used[static_cast<size_t>(*arg.value())] = true;
  };
  const auto is_used = [&used](ir::ValueId id) { return id != ir::ValueId::kNone && used[static_cast<size_t>(id)]; };
  std::ranges::for_each(graph->body.outputs, mark);
  // Users come after producers, so that one walk from the end sees every use first.
  std::vector<bool> dead_nodes(graph->body.nodes.size());
  for (size_t i = graph->body.nodes.size(); i-- > 0;) {
    const ir::Node& node = graph->body.nodes[i];
    dead_nodes[i] = std::ranges::none_of(node.outputs, is_used);
    if (!dead_nodes[i]) std::ranges::for_each(node.inputs, mark);
  }
  size_t index = 0;
  const size_t nodes = std::erase_if(graph->body.nodes, [&](const ir::Node&) { return dead_nodes[index++]; });
  const size_t weights =
      std::erase_if(graph->weights, [&](const ir::Weight& weight) { return !is_used(weight.value); });
  return nodes + weights > 0;
}

}  // namespace onnxport::passes
