// The operators of PyTorch's reference implementations, which are Python, from ATen's, under the same schemas.
#include <ATen/core/Tensor.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/amin.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/flip.h>
#include <ATen/ops/prod.h>
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
}
