#include "runtime/verify/program/results.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/view_as_real.h>

#include "runtime/base/refusal.h"
#include "runtime/verify/program/torch_values.h"

namespace onnxport::verify {

std::optional<ort::Tensor> AsOutput(const c10::IValue& value) {
  if (value.isNone()) return std::nullopt;
  if (value.isBool()) return FromTorch(at::scalar_tensor(value.toBool(), at::kBool));
  if (value.isInt()) return FromTorch(at::scalar_tensor(value.toInt(), at::kLong));
  if (value.isDouble()) return FromTorch(at::scalar_tensor(value.toDouble(), at::kDouble));
  if (!value.isTensor()) throw Refusal("a result of type " + value.tagKind());
  const at::Tensor& tensor = value.toTensor();
  // A kernel may leave out a result of the schema, as the gradient of a bias that is not there.
  if (!tensor.defined()) return std::nullopt;
  return FromTorch(tensor.is_complex() ? at::view_as_real(tensor.resolve_conj()) : tensor);
}

}  // namespace onnxport::verify
