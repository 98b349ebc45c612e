#include "runtime/passes/lift_constants.h"

#include <vector>

#include "runtime/passes/rewrite.h"

namespace onnxport::passes {
namespace {

constexpr int kFirstOpset = 9;  // IR version 4: initializers that are no inputs

}  // namespace

bool LiftConstants(ir::Graph* graph) {
  if (graph->opset < kFirstOpset) return false;
  const auto lift = [graph](const ir::Node& node) {
    const ir::Arg* value = node.op == "Constant" ? FindAttribute(node, "value") : nullptr;
    const auto* data = value == nullptr ? nullptr : std::get_if<std::shared_ptr<const ir::TensorData>>(&value->v);
    if (data == nullptr) return false;
    graph->weights.push_back({.value = node.outputs[0], .name = "", .data = *data});
    return true;
  };
  return std::erase_if(graph->body.nodes, lift) > 0;
}

}  // namespace onnxport::passes
