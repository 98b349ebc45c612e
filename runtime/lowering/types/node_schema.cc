#include "runtime/lowering/types/node_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "runtime/base/refusal.h"

namespace onnxport::lowering {

bool SameNode(const NodeSchema& a, const NodeSchema& b) {
  const auto parts = [](const NodeSchema& schema) {
    // With a structured binding, a new field does not compile until somebody decides if it counts here.
    const auto& [name, version, pure, types, inputs, attributes, outputs, place] = schema;
    return std::tie(name, version, pure, types, inputs, attributes, outputs);
  };
  return parts(a) == parts(b);
}

std::function<const std::vector<NodeSchema>&()> KeptSchemas(std::vector<NodeSchema> schemas) {
  return [kept = std::move(schemas)]() -> const std::vector<NodeSchema>& { return kept; };
}

const NodeSchema* FindNodeSchema(std::string_view op) {
  if (op.find('.') == std::string_view::npos) return nullptr;  // one of ONNX's own
  const NodeSchema* first = nullptr;
  for (const NodeSchemaTable& table : NodeSchemaTables::All()) {
    const std::vector<NodeSchema>& schemas = table.schemas();
    const auto found = std::ranges::find(schemas, op, &NodeSchema::name);
    if (found == schemas.end()) continue;
    if (first == nullptr) first = &*found;
    // Two libraries may declare the same operator, for example of com.microsoft. Only a contradiction is refused, and
    // only if a call needs the operator.
    if (!SameNode(*first, *found)) {
      throw Refusal(fmt::format("{} is declared in two ways, at {} and {}", op, first->place, found->place));
    }
  }
  return first;
}

std::set<std::string> DeclaredDomains() {
  std::set<std::string> domains;
  for (const NodeSchemaTable& table : NodeSchemaTables::All()) {
    for (const NodeSchema& schema : table.schemas()) domains.insert(schema.name.substr(0, schema.name.rfind('.')));
  }
  return domains;
}

}  // namespace onnxport::lowering
