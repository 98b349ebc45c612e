// Generated from the schemas of a user's operators. Do not edit: build again.
#include "runtime/aten/aten_schema_table.h"

namespace onnxport {
namespace {

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

}  // namespace
}  // namespace onnxport
