// The operators of PyTorch's reference implementations, which are Python, from ATen's, under the same schemas.
#include <ATen/core/Tensor.h>
#include <ATen/ops/_fft_c2c.h>
#include <ATen/ops/_fft_c2r.h>
#include <ATen/ops/_fft_r2c.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/amin.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/copysign.h>
#include <ATen/ops/div.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_permuted.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/flip.h>
#include <ATen/ops/full.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/normal.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/prod.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/var.h>
#include <ATen/ops/where.h>
#include <torch/library.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

namespace onnxport::conformance {
namespace {

using at::IntArrayRef;
using at::OptionalIntArrayRef;
using at::Tensor;
using c10::SymInt;
using c10::SymIntArrayRef;
using DType = std::optional<at::ScalarType>;

Tensor Converted(const Tensor& a, at::ScalarType dtype) { return a.to(dtype); }

Tensor CollapsedView(const Tensor& a, int64_t start, int64_t end) {
  return a.dim() == 0 ? a.view({1}) : a.flatten(start, end);
}
Tensor Collapsed(const Tensor& a, int64_t start, int64_t end) { return CollapsedView(a, start, end).clone(); }

Tensor Squeezed(const Tensor& a, IntArrayRef dimensions) { return a.squeeze(dimensions); }

Tensor ViewOf(const Tensor& a) { return a.view(a.sizes()); }

Tensor DimSplit(const Tensor& a, int64_t dim, SymInt outer) {
  const int64_t length = outer.expect_int();
  return a.unflatten(dim, {length, a.size(dim) / length});
}

Tensor Broadcast(const Tensor& a, SymIntArrayRef shape, IntArrayRef broadcast_dimensions) {
  Tensor view = a;
  for (int64_t i = 0; i < static_cast<int64_t>(shape.size()); ++i) {
    if (std::ranges::find(broadcast_dimensions, i) == broadcast_dimensions.end()) view = view.unsqueeze(i);
  }
  return view.expand(C10_AS_INTARRAYREF_SLOW(shape));
}

Tensor Transposed(const Tensor& a, IntArrayRef permutation) { return a.permute(permutation); }
Tensor Reshaped(const Tensor& a, SymIntArrayRef shape) { return a.reshape(C10_AS_INTARRAYREF_SLOW(shape)).clone(); }
Tensor Reversed(const Tensor& a, IntArrayRef dims) { return at::flip(a, dims); }
Tensor Joined(at::TensorList tensors, int64_t dim) { return at::cat(tensors, dim); }
Tensor Chosen(const Tensor& pred, const Tensor& a, const Tensor& b) { return at::where(pred, a, b); }
Tensor Put(const Tensor& a, at::Device device, bool /*non_blocking*/) { return a.to(device); }

Tensor Iota(SymInt length, SymInt start, SymInt step, at::ScalarType dtype, at::Device device, bool /*requires_grad*/) {
  const int64_t first = start.expect_int();
  const int64_t end = first + length.expect_int() * step.expect_int();
  return at::arange(first, end, step.expect_int(), at::TensorOptions().dtype(dtype).device(device));
}

Tensor Summed(const Tensor& inp, OptionalIntArrayRef dims, DType /*output_dtype*/) { return at::sum(inp, dims); }

Tensor Multiplied(const Tensor& inp, OptionalIntArrayRef dims, DType /*output_dtype*/) {
  std::vector<int64_t> from_the_last(dims->begin(), dims->end());
  std::ranges::sort(from_the_last, std::greater());
  Tensor product = inp;
  for (const int64_t dim : from_the_last) product = at::prod(product, dim);
  return from_the_last.empty() ? product.clone() : product;
}

Tensor Largest(const Tensor& inp, OptionalIntArrayRef dims, DType /*output_dtype*/) { return at::amax(inp, *dims); }
Tensor Smallest(const Tensor& inp, OptionalIntArrayRef dims, DType /*output_dtype*/) { return at::amin(inp, *dims); }

Tensor Variance(const Tensor& inp, OptionalIntArrayRef dims, std::optional<double> correction, DType /*output_dtype*/) {
  return at::var(inp, dims, at::Scalar(correction.value_or(1.0)));
}

Tensor Divided(const Tensor& self, const Tensor& other) {
  const bool whole = at::isIntegralType(self.scalar_type(), false);
  return whole ? at::div(self, other, "trunc") : at::div(self, other);
}

Tensor CubeRoot(const Tensor& self) { return at::copysign(at::pow(at::abs(self), 1.0 / 3.0), self); }

Tensor StridedCopy(const Tensor& a, SymIntArrayRef stride) {
  return at::empty_strided(a.sizes(), C10_AS_INTARRAYREF_SLOW(stride), a.options()).copy_(a);
}

// ---- spectra
Tensor RealToComplex(const Tensor& self, IntArrayRef dim, bool onesided) {
  return at::_fft_r2c(self, dim, 0, onesided);
}
Tensor ComplexToComplex(const Tensor& self, IntArrayRef dim, bool forward) {
  return at::_fft_c2c(self, dim, 0, forward);
}
Tensor ComplexToReal(const Tensor& self, IntArrayRef dim, SymInt last_dim_size) {
  return at::_fft_c2r(self, dim, 0, last_dim_size.expect_int());
}

// ---- from nothing
at::TensorOptions Options(at::ScalarType dtype, at::Device device) {
  return at::TensorOptions().dtype(dtype).device(device);
}
Tensor Full(SymIntArrayRef shape, const at::Scalar& fill_value, at::ScalarType dtype, at::Device device,
            bool /*requires_grad*/) {
  return at::full(C10_AS_INTARRAYREF_SLOW(shape), fill_value, Options(dtype, device));
}
Tensor FullLike(const Tensor& a, const at::Scalar& fill_value, at::ScalarType dtype, at::Device device,
                bool /*requires_grad*/) {
  return at::full_like(a, fill_value, Options(dtype, device));
}
Tensor Empty(SymIntArrayRef shape, at::ScalarType dtype, at::Device device, bool /*requires_grad*/) {
  return at::empty(C10_AS_INTARRAYREF_SLOW(shape), Options(dtype, device));
}
Tensor EmptyPermuted(SymIntArrayRef shape, IntArrayRef physical_layout, at::ScalarType dtype, at::Device device,
                     bool /*requires_grad*/) {
  return at::empty_permuted(C10_AS_INTARRAYREF_SLOW(shape), physical_layout, Options(dtype, device));
}
Tensor EmptyStrided(SymIntArrayRef shape, SymIntArrayRef strides, at::ScalarType dtype, at::Device device,
                    bool /*requires_grad*/) {
  return at::empty_strided(C10_AS_INTARRAYREF_SLOW(shape), C10_AS_INTARRAYREF_SLOW(strides), Options(dtype, device));
}
Tensor OfScalar(const at::Scalar& s, DType dtype, std::optional<at::Device> device) {
  return at::scalar_tensor(s, Options(dtype.value_or(at::kFloat), device.value_or(at::kCPU)));
}
Tensor Normal(SymIntArrayRef shape, const at::Scalar& mean, const at::Scalar& std, at::ScalarType dtype,
              at::Device device, bool /*requires_grad*/, const std::optional<at::Generator>& generator) {
  return at::normal(mean.toDouble(), std.toDouble(), C10_AS_INTARRAYREF_SLOW(shape), generator, Options(dtype, device));
}

}  // namespace
}  // namespace onnxport::conformance

TORCH_LIBRARY(prims, m) {
  namespace eager = onnxport::conformance;
  m.def("amax(Tensor inp, int[]? dims, *, ScalarType? output_dtype=None) -> Tensor", &eager::Largest);
  m.def("amin(Tensor inp, int[]? dims, *, ScalarType? output_dtype=None) -> Tensor", &eager::Smallest);
  m.def("broadcast_in_dim(Tensor(a) a, SymInt[] shape, int[] broadcast_dimensions) -> Tensor(a)", &eager::Broadcast);
  m.def("cat(Tensor[] tensors, int dim) -> Tensor", &eager::Joined);
  m.def("collapse(Tensor a, int start, int end) -> Tensor", &eager::Collapsed);
  m.def("collapse_view(Tensor(a) a, int start, int end) -> Tensor(a)", &eager::CollapsedView);
  m.def("convert_element_type(Tensor a, ScalarType dtype) -> Tensor", &eager::Converted);
  m.def("device_put(Tensor a, Device device, bool non_blocking=False) -> Tensor", &eager::Put);
  m.def(
      "iota(SymInt length, *, SymInt start, SymInt step, ScalarType dtype, Device device, bool requires_grad) -> "
      "Tensor",
      &eager::Iota);
  m.def("prod(Tensor inp, int[]? dims, *, ScalarType? output_dtype=None) -> Tensor", &eager::Multiplied);
  m.def("reshape(Tensor a, SymInt[] shape) -> Tensor", &eager::Reshaped);
  m.def("rev(Tensor a, int[] dims) -> Tensor", &eager::Reversed);
  m.def("split_dim(Tensor(a) a, int dim, SymInt outer_length) -> Tensor(a)", &eager::DimSplit);
  m.def("squeeze(Tensor(a) a, int[] dimensions) -> Tensor(a)", &eager::Squeezed);
  m.def("sum(Tensor inp, int[]? dims, *, ScalarType? output_dtype=None) -> Tensor", &eager::Summed);
  m.def("transpose(Tensor(a) a, int[] permutation) -> Tensor(a)", &eager::Transposed);
  m.def("var(Tensor inp, int[]? dims, float? correction=1, *, ScalarType? output_dtype=None) -> Tensor",
        &eager::Variance);
  m.def("view_of(Tensor(a) a) -> Tensor(a)", &eager::ViewOf);
  m.def("where(Tensor pred, Tensor a, Tensor b) -> Tensor", &eager::Chosen);
  m.def("cbrt(Tensor self) -> Tensor", &eager::CubeRoot);
  m.def("copy_strided(Tensor a, SymInt[] stride) -> Tensor", &eager::StridedCopy);
  m.def("div(Tensor self, Tensor other) -> Tensor", &eager::Divided);
  m.def(
      "empty(SymInt[] shape, *, ScalarType dtype, Device device, bool requires_grad) "
      "-> Tensor",
      &eager::Empty);
  m.def(
      "empty_permuted(SymInt[] shape, int[] physical_layout, *, ScalarType dtype, "
      "Device device, bool requires_grad) -> Tensor",
      &eager::EmptyPermuted);
  m.def(
      "empty_strided(SymInt[] shape, SymInt[] strides, *, ScalarType dtype, Device "
      "device, bool requires_grad) -> Tensor",
      &eager::EmptyStrided);
  m.def("fft_c2c(Tensor self, *, int[] dim, bool forward) -> Tensor", &eager::ComplexToComplex);
  m.def("fft_c2r(Tensor self, *, int[] dim, SymInt last_dim_size) -> Tensor", &eager::ComplexToReal);
  m.def("fft_r2c(Tensor self, *, int[] dim, bool onesided) -> Tensor", &eager::RealToComplex);
  m.def(
      "full(SymInt[] shape, Scalar fill_value, *, ScalarType dtype, Device device, "
      "bool requires_grad) -> Tensor",
      &eager::Full);
  m.def(
      "full_like(Tensor a, Scalar fill_value, *, ScalarType dtype, Device device, bool "
      "requires_grad) -> Tensor",
      &eager::FullLike);
  m.def(
      "normal(SymInt[] shape, *, Scalar mean, Scalar std, ScalarType dtype, Device "
      "device, bool requires_grad, Generator? generator=None) -> Tensor",
      &eager::Normal);
  m.def(
      "scalar_tensor(Scalar s, *, ScalarType? dtype=None, Device? device=None) -> "
      "Tensor",
      &eager::OfScalar);
}
