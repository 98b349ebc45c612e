#include "runtime/lowering/attempt.h"

#include <utility>

#include "runtime/lowering/lowerer.h"

namespace onnxport::lowering {

Attempt TryLower(const ir::Graph& aten, int opset) {
  Attempt attempt;
  Lowerer lowerer(aten, opset);
  size_t node = 0;
  const auto keep = [&](std::optional<std::string> reason) {
    if (reason) attempt.failures.push_back({node, std::move(*reason)});
  };
  for (const ir::Port& port : aten.inputs) lowerer.AddInput(port);
  for (const ir::Weight& weight : aten.weights) lowerer.AddWeight(weight);
  for (; node < aten.body.nodes.size(); ++node) keep(lowerer.Lower(aten.body.nodes[node]));
  for (const ir::Port& port : aten.outputs) {
    keep(lowerer.AddOutput(port));
    ++node;
  }
  attempt.remarks = lowerer.remarks();
  attempt.graph = lowerer.TakeGraph();
  return attempt;
}

}  // namespace onnxport::lowering
