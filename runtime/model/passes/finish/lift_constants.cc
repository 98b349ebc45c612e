#include "runtime/model/passes/finish/lift_constants.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "runtime/ir/read_node.h"
#include "runtime/model/passes/graph/rewrite.h"

namespace onnxport::passes {
namespace {

constexpr int kFirstLiftOpset = 9;  // IR version 4: initializers that are no inputs. Constant takes every dtype

bool MayStay(ir::DType dtype, int opset) { return opset < kFirstLiftOpset && ir::IsFloat(dtype); }

// A constant that is itself an output of a block stays a node of the block.
bool IsOutput(const ir::Block& block, ir::ValueId id) {
  return std::ranges::any_of(block.outputs,
                             [&](const ir::Arg& output) { return output.value() && *output.value() == id; });
}

bool LiftFrom(ir::Block* block, bool outermost, ir::Graph* graph) {
  bool changed = false;
  for (ir::Node& node : block->nodes)
    for (ir::Block& inner : node.blocks) changed |= LiftFrom(&inner, false, graph);
  const auto lift = [&](const ir::Node& node) {
    auto data = ir::ConstantTensor(node);
    if (data == nullptr || MayStay(data->dtype, graph->opset)) return false;
    if (!outermost && IsOutput(*block, node.outputs[0])) return false;
    graph->weights.push_back({.value = node.outputs[0], .name = "", .data = std::move(data), .constant = true});
    return true;
  };
  return std::erase_if(block->nodes, lift) > 0 || changed;
}

}  // namespace

bool LiftConstants(ir::Graph* graph) { return LiftFrom(&graph->body, true, graph); }

}  // namespace onnxport::passes
