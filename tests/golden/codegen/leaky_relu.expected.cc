// Generated from spec/aten/leaky_relu.yaml. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/context.h"
#include "runtime/lowering/cover.h"
#include "runtime/lowering/dispatch.h"
#include "runtime/lowering/hooks.h"
#include "runtime/lowering/val.h"

namespace onnxport::generated {

using namespace lowering;  // NOLINT: generated code reads like the spec

// aten::leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor
// spec/aten/leaky_relu.yaml:5, opset 7 to 25
static constexpr int8_t aten_leaky_relu_row_inputs[] = {0};
static constexpr NodeRow::RowAttr aten_leaky_relu_row_attrs[] = {{"alpha", 1}};
extern const NodeRow aten_leaky_relu_row = {"LeakyRelu", aten_leaky_relu_row_inputs, aten_leaky_relu_row_attrs};

}  // namespace onnxport::generated
