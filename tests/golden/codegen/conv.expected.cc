// Generated from spec/aten/conv.yaml. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/dsl/context.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/lowering/dsl/hooks.h"
#include "runtime/lowering/dsl/builtins.h"

namespace onnxport::generated::conv_operators {

using namespace lowering;  // NOLINT: generated code reads like the spec

// spec/aten/conv.yaml:5
static Val conv(Context& c, const Val& x, const Val& w, const Val& b, const Val& stride, const Val& pad, const Val& dil,
                const Val& groups, const Val& out_pad, const Val& transposed) {
  const Val n = rank(w) - 2;
  const Val v = rank(x) == n + 1 ? c.op("Unsqueeze", {x}, {{"axes", Vals{0}}}) : x;
  const Val y = transposed ? c.op("ConvTranspose", {v, w, b},
                                  {{"group", groups}, {"strides", repeat_to(stride, n)},
                                   {"dilations", repeat_to(dil, n)}, {"pads", repeat_to(pad, n) * 2},
                                   {"kernel_shape", static_dims(w).Slice(2, Val())},
                                   {"output_padding", repeat_to(out_pad, n)}})
                : c.op("Conv", {v, w, b},
                       {{"group", groups}, {"strides", repeat_to(stride, n)}, {"dilations", repeat_to(dil, n)},
                        {"pads", repeat_to(pad, n) * 2}, {"kernel_shape", static_dims(w).Slice(2, Val())}});
  return rank(x) == n + 1 ? c.op("Squeeze", {y}, {{"axes", Vals{0}}}) : y;
}

// aten::conv1d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=[1], SymInt[1] padding=[0], SymInt[1]
//     dilation=[1], SymInt groups=1) -> Tensor
// aten::conv2d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0],
//     SymInt[2] dilation=[1, 1], SymInt groups=1) -> Tensor
// aten::conv3d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0],
//     SymInt[3] dilation=[1, 1, 1], SymInt groups=1) -> Tensor
// spec/aten/conv.yaml:25, opset 7 to 28
Vals aten_conv1d(Context& c) {
  const auto [input, weight, bias, stride, padding, dilation, groups] = c.args<7>();
  return {conv(c, input, weight, bias, stride, padding, dilation, groups, Vals{0}, false)};
}

// aten::convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation,
//     bool transposed, SymInt[] output_padding, SymInt groups) -> Tensor
// spec/aten/conv.yaml:34, opset 7 to 28
Vals aten_convolution(Context& c) {
  const auto [input, weight, bias, stride, padding, dilation, transposed, output_padding, groups] = c.args<9>();
  return {conv(c, input, weight, bias, stride, padding, dilation, groups, output_padding, transposed)};
}

}  // namespace onnxport::generated::conv_operators
