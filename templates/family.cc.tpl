// Generated from {{spec}}. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/context.h"
#include "runtime/lowering/dispatch.h"
#include "runtime/lowering/hooks.h"
#include "runtime/lowering/val.h"

namespace onnxport::generated {

using namespace lowering;  // NOLINT: generated code reads like the spec

{{functions}}
}  // namespace onnxport::generated
