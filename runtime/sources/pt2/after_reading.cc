#include "runtime/sources/pt2/after_reading.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "runtime/aten/aten_schema.h"
#include "runtime/aten/schema_questions.h"
#include "runtime/base/error.h"
#include "runtime/base/text.h"
#include "runtime/ir/uses.h"
#include "runtime/sources/pt2/json.h"

namespace onnxport::pt2 {
namespace {

using ir::ValueId;

bool IsDropped(const ir::Node& node, const ir::Uses& uses) {
  return ir::InstructionOf(node.op) && !uses.Any(node.outputs);
}

// A block's calls only use values of the block and its inputs, so blocks are independent. It goes from the last node to
// the first, so that it sees a use before the definition. Calls of operators stay even if they are unused, because they
// may write to something (pt2/replay/unused.cc decides that).
void DropUnusedHostNodes(ir::Block* block, ir::Uses* uses) {
  uses->Add(block->outputs);
  std::vector<ir::Node>& nodes = block->nodes;
  // Kept nodes move to the end in place, because a second list would be the peak of memory.
  size_t first = nodes.size();
  for (size_t i = nodes.size(); i-- > 0;) {
    ir::Node& node = nodes[i];
    if (IsDropped(node, *uses)) continue;
    uses->Add(node.inputs);
    for (ir::Block& inner : node.blocks) DropUnusedHostNodes(&inner, uses);
    if (--first != i) nodes[first] = std::move(node);
  }
  nodes.erase(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(first));
}

}  // namespace

void MarkDeviceCopies(const Scope& scope, ir::Block* block) {
  for (ir::Node& node : block->nodes) {
    for (ir::Block& inner : node.blocks) MarkDeviceCopies(scope, &inner);
    const ir::AtenSchema* schema = ir::FindAtenSchema(node.op);
    if (schema == nullptr || node.outputs.empty() || node.outputs[0] == ValueId::kNone) continue;
    // If nothing is to change, `to` returns its operand, and a write to the result would be a write to the operand.
    const int copy = schema->returns_alias() ? schema->FindArgument("copy") : -1;
    const ValueId* self = node.inputs.empty() ? nullptr : node.inputs[0].value();
    if (copy < 0 || self == nullptr || !scope.OnDifferentDevices(*self, node.outputs[0])) continue;
    node.inputs[static_cast<size_t>(copy)] = {true};
  }
}

void DropUnusedHostNodes(ir::Graph* graph) {
  ir::Uses uses(*graph);
  DropUnusedHostNodes(&graph->body, &uses);
}

void CheckTypes(const ir::Graph& graph) {
  for (const ir::Value& value : graph.values) {
    if (value.dtype == ir::DType::kUndefined)
      throw Error(ErrorKind::kBadInput, "no type is given for '" + Printable(value.name) + "'");
  }
}

}  // namespace onnxport::pt2
