// Generated from {{spec}}. Do not edit: change the spec and build again.
#include <cmath>

#include "tests/conformance/case.h"

namespace onnxport::conformance {
namespace {

using enum Value::Kind;

{{cases}}

}  // namespace

extern const Family {{family}} = {"{{name}}", {{cases_name}}};

}  // namespace onnxport::conformance
