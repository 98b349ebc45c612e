// The operator of PyTorch's reference implementations, which are Python, from ATen's, under the same schema.
#include <ATen/core/Tensor.h>
#include <torch/library.h>

namespace onnxport::conformance {
namespace {

at::Tensor Converted(const at::Tensor& a, at::ScalarType dtype) { return a.to(dtype); }

}  // namespace
}  // namespace onnxport::conformance

TORCH_LIBRARY(prims, m) {
  m.def("convert_element_type(Tensor a, ScalarType dtype) -> Tensor", &onnxport::conformance::Converted);
}
