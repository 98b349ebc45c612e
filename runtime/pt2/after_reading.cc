#include "runtime/pt2/after_reading.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "runtime/aten/aten_schema.h"
#include "runtime/aten/schema_questions.h"
#include "runtime/base/text.h"
#include "runtime/pt2/json.h"

namespace onnxport::pt2 {
namespace {

using ir::Arg;
using ir::ValueId;

// By value.
using Used = std::vector<bool>;

void Use(const Arg& arg, Used* used) {
  if (const ValueId* id = arg.value()) (*used)[static_cast<size_t>(*id)] = true;
  if (const ir::ArgList* list = arg.list()) {
    for (const Arg& element : *list) Use(element, used);
  }
}

bool IsDropped(const ir::Node& node, const Used& used) {
  const ir::AtenSchema* schema = ir::FindAtenSchema(node.op);
  const bool host = schema == nullptr ? node.op.starts_with("host::") : ir::ReturnsSizes(*schema);
  return host && std::ranges::none_of(
                     node.outputs, [&](ValueId id) { return id != ValueId::kNone && used[static_cast<size_t>(id)]; });
}

// A block's calls use what it makes or is given, so blocks do not depend on one another.
void DropUnusedHostNodes(ir::Block* block, Used* used) {
  for (const Arg& output : block->outputs) Use(output, used);
  std::vector<ir::Node> kept;
  for (size_t i = block->nodes.size(); i-- > 0;) {
    ir::Node& node = block->nodes[i];
    if (IsDropped(node, *used)) continue;
    for (const Arg& input : node.inputs) Use(input, used);
    for (ir::Block& inner : node.blocks) DropUnusedHostNodes(&inner, used);
    kept.push_back(std::move(node));
  }
  std::ranges::reverse(kept);
  block->nodes = std::move(kept);
}

}  // namespace

void MarkDeviceCopies(const Scope& scope, ir::Block* block) {
  for (ir::Node& node : block->nodes) {
    for (ir::Block& inner : node.blocks) MarkDeviceCopies(scope, &inner);
    const ir::AtenSchema* schema = ir::FindAtenSchema(node.op);
    if (schema == nullptr || node.outputs.empty() || node.outputs[0] == ValueId::kNone) continue;
    const int copy = schema->returns_alias() ? schema->FindArgument("copy") : -1;
    const ValueId* self = node.inputs.empty() ? nullptr : node.inputs[0].value();
    if (copy < 0 || self == nullptr || !scope.OnDifferentDevices(*self, node.outputs[0])) continue;
    node.inputs[static_cast<size_t>(copy)] = {true};
  }
}

void DropUnusedHostNodes(ir::Graph* graph) {
  Used used(graph->values.size(), false);
  DropUnusedHostNodes(&graph->body, &used);
}

void CheckTypes(const ir::Graph& graph) {
  for (const ir::Value& value : graph.values) {
    if (value.dtype == ir::DType::kUndefined) throw JsonError("no type is given for '" + Printable(value.name) + "'");
  }
}

}  // namespace onnxport::pt2
