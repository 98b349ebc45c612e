#include "runtime/sources/pt2/replay/unused.h"

#include "runtime/aten/aten_schema.h"
#include "runtime/ir/uses.h"
#include "runtime/trace/functionalize/twins.h"

namespace onnxport::pt2 {
namespace {

// Includes the values from outside that its blocks use.
void Use(const ir::Node& call, ir::Uses* uses) {
  uses->Add(call.inputs);
  for (const ir::Block& block : call.blocks) {
    for (const ir::Node& inner : block.nodes) Use(inner, uses);
    uses->Add(block.outputs);
  }
}

// Returns true if a call is only made for its results. An assertion has none.
bool IsForResults(const ir::Node& call) {
  const ir::AtenSchema* schema = ir::FindAtenSchema(call.op);
  return schema != nullptr && !functionalize::Writes(*schema, call.inputs) && !call.outputs.empty();
}

}  // namespace

std::unordered_set<const ir::Node*> UnusedCalls(const Calls& calls, const std::vector<ir::Port>& outputs,
                                                size_t values) {
  std::unordered_set<const ir::Node*> unused;
  ir::Uses uses(values);
  for (const ir::Port& output : outputs) uses.Add(output.value);
  for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
    if (IsForResults(**call) && !uses.Any((*call)->outputs)) {
      unused.insert(*call);
    } else {
      Use(**call, &uses);
    }
  }
  return unused;
}

}  // namespace onnxport::pt2
