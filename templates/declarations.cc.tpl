// Generated from specs. Do not edit: change a spec and build again.
#include <optional>
#include <string>
#include <vector>

#include "runtime/lowering/types/node_schema.h"

namespace onnxport {
namespace {

using ir::DType;
using lowering::AttributeKind;
using lowering::NodeParameter;

const std::vector<lowering::NodeSchema>& Nodes() {
  static const std::vector<lowering::NodeSchema> nodes = {
    {{nodes}}
  };
  return nodes;
}

[[maybe_unused]] const bool kNodesAdded = lowering::NodeSchemaTables::Add({.owner = "{{owner}}", .schemas = Nodes});

}  // namespace
}  // namespace onnxport
