// Generated from the specs of a user's operators. Do not edit: change a spec and build again.
#include <optional>
#include <string>
#include <vector>

#include "runtime/aten/aten_schema_table.h"
#include "runtime/lowering/types/node_schema.h"

namespace onnxport {
namespace {

using ir::DType;
using lowering::AttributeKind;
using lowering::NodeParameter;

constexpr char kAten[] =
    {{aten}}
    "";

constexpr char kOrder[] =
    {{order}}
    "";

[[maybe_unused]] const bool kAtenAdded = ir::AtenSchemaTables::Add({.owner = "{{owner}}",
                                                                    .text = kAten,
                                                                    .order = kOrder,
                                                                    .origin = {}});

[[maybe_unused]] const bool kNodesAdded = lowering::NodeSchemaTables::Add({.owner = "{{owner}}", .schemas = {
    {{nodes}}
}});

}  // namespace
}  // namespace onnxport
