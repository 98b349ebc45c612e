// The operator that the Python package transformers registers, from ATen's, under the same schema.
#include <ATen/core/Tensor.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/zeros.h>
#include <torch/library.h>

namespace onnxport::conformance {
namespace {

at::Tensor GroupedProducts(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& offs) {
  at::Tensor output = at::zeros({input.size(0), weight.size(2)}, input.options());
  int64_t start = 0;
  for (int64_t group = 0; group < offs.size(0); ++group) {
    const int64_t end = offs[group].item<int64_t>();
    output.slice(0, start, end).copy_(at::mm(input.slice(0, start, end), weight[group]));
    start = end;
  }
  return output;
}

}  // namespace
}  // namespace onnxport::conformance

TORCH_LIBRARY(transformers, m) {
  m.def("grouped_mm_fallback(Tensor input, Tensor weight, Tensor offs) -> Tensor",
        &onnxport::conformance::GroupedProducts);
}
