// Tensors that control flow and writes of the source program need.
#include "runtime/lowering/host/host_rules.h"

namespace onnxport::lowering {
namespace {

constexpr int kAllowZeroOpset = 14;

// A tensor without elements in another shape. The run fails if it has any. Operands: the tensor, the shape.
Val Emptied(const Host& h) {
  if (h.context.opset() >= kAllowZeroOpset) return h.context.op("Reshape", {h.a(), h.b()}, {{"allowzero", 1}});
  const Val flat = h.context.op("Reshape", {h.a(), Vals{-1}});
  const Val checked = h.context.op("Split", {flat}, {{"axis", 0}, {"split", Vals{0}}});
  Vals shape = h.b().AsList();
  const auto none = std::ranges::find_if(shape, [](const Val& size) { return size == Val(0); });
  if (none == shape.end()) throw Refusal("a shape without elements is needed");
  *none = -1;
  return h.context.op("Reshape", {checked, shape});
}

// A tensor of zeros. Operands: the sizes, the dtype.
Val Zeros(const Host& h) { return h.context.op("Expand", {h.context.constant(0, h.b()), h.a()}); }

Val Cast(const Host& h) { return cast(h.a(), h.b()); }

}  // namespace

std::span<const HostRule> TensorRules() {
  using I = ir::Instruction;
  static constexpr HostRule kRules[] = {
      {I::kCast, Cast},
      {I::kEmptied, Emptied},
      {I::kZeros, Zeros},
  };
  return kRules;
}

}  // namespace onnxport::lowering
