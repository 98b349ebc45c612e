// Generated from {{spec}}. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/dsl/context.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/lowering/dsl/hooks.h"
#include "runtime/lowering/dsl/builtins.h"

namespace onnxport::{{namespace}}::{{family}} {

using namespace lowering;  // NOLINT: generated code reads like the spec

{{functions}}
}  // namespace onnxport::{{namespace}}::{{family}}
