#include "runtime/model/passes/finish/separate_outputs.h"

#include <utility>
#include <vector>

namespace onnxport::passes {

bool SeparateOutputs(ir::Graph* graph) {
  std::vector<char> taken(graph->values.size());
  for (const ir::ValueId input : graph->body.inputs) taken[static_cast<size_t>(input)] = 1;
  for (const ir::Weight& weight : graph->weights) taken[static_cast<size_t>(weight.value)] = 1;
  bool changed = false;
  for (size_t i = 0; i < graph->body.outputs.size(); ++i) {
    const ir::ValueId* id = graph->body.outputs[i].value();
    // The first output with a value keeps it, and later ones need another.
    if (id == nullptr || !std::exchange(taken[static_cast<size_t>(*id)], 1)) continue;
    ir::Node node;
    node.op = "Identity";
    node.inputs = {{*id}};
    node.outputs = {graph->AddValue(graph->value(*id))};
    graph->body.outputs[i] = {node.outputs[0]};
    graph->outputs[i].value = {node.outputs[0]};
    graph->body.nodes.push_back(std::move(node));
    changed = true;
  }
  return changed;
}

}  // namespace onnxport::passes
