// Operators of our own, as a program or torch.ops.load_library would load them.
#include <ATen/ATen.h>
#include <torch/library.h>

namespace {

// x @ weight.T, scaled, `groups` times side by side: float[..., n], float[m, n] -> float[..., m * groups].
at::Tensor Foo(const at::Tensor& x, const at::Tensor& weight, double scale, int64_t groups) {
  return at::cat(std::vector<at::Tensor>(static_cast<size_t>(groups), at::matmul(x, weight.t()) * scale), -1);
}

at::Tensor Swish(const at::Tensor& x, double beta) { return x * at::sigmoid(x * beta); }

}  // namespace

TORCH_LIBRARY(custom_ops, m) {
  m.def("foo_forward(Tensor input1, Tensor input2, float attr1, int attr2) -> Tensor", &Foo);
  m.def("swish(Tensor x, float beta=1.) -> Tensor", &Swish);
}
