// Generated from {{spec}}. Do not edit: change the spec and build again. For the coverage test only.
#include <cmath>

#include "runtime/lowering/dsl/context.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/lowering/dsl/hooks.h"
#include "runtime/lowering/dsl/builtins.h"
#include "tests/conformance/arms.h"

namespace onnxport::{{namespace}}::{{family}} {

using namespace lowering;  // NOLINT: generated code reads like the spec
using conformance::Either;
using conformance::Reached;
using conformance::Refusing;

{{functions}}
[[maybe_unused]] const bool kArmsAreListed = conformance::ListArms({
{{arms}}});

}  // namespace onnxport::{{namespace}}::{{family}}
