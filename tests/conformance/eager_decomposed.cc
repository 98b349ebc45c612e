// Operators that eager PyTorch lacks here, from ATen's others: those of quantized_decomposed::, which PyTorch defines
// in Python, and attention as it is on a GPU.
#include <ATen/ATen.h>
#include <torch/library.h>

#include <optional>
#include <tuple>
#include <vector>

namespace onnxport::conformance {
namespace {

at::Tensor Integers(const at::Tensor& input, const at::Tensor& scale, const at::Tensor& zero_point, int64_t low,
                    int64_t high, at::ScalarType dtype) {
  return at::clamp(at::round(input.to(at::kFloat) * scale.reciprocal()) + zero_point, low, high).to(dtype);
}

at::Tensor Values(const at::Tensor& input, const at::Tensor& scale, const at::Tensor& zero_point,
                  std::optional<at::ScalarType> dtype) {
  return ((input.to(at::kDouble) - zero_point) * scale).to(dtype.value_or(at::kFloat));
}

at::Tensor Number(double value) { return at::scalar_tensor(value, at::kDouble); }

// One value per place along an axis.
at::Tensor Along(const at::Tensor& values, const at::Tensor& input, int64_t axis) {
  std::vector<int64_t> shape(input.dim(), 1);
  shape.at(axis < 0 ? axis + input.dim() : axis) = -1;
  return values.to(at::kDouble).view(shape);
}

at::Tensor QuantizePerTensor(const at::Tensor& input, double scale, int64_t zero_point, int64_t low, int64_t high,
                             at::ScalarType dtype) {
  return Integers(input, Number(scale), Number(static_cast<double>(zero_point)), low, high, dtype);
}

at::Tensor QuantizePerTensorBy(const at::Tensor& input, const at::Tensor& scale, const at::Tensor& zero_point,
                               int64_t low, int64_t high, at::ScalarType dtype) {
  return Integers(input, scale, zero_point, low, high, dtype);
}

at::Tensor QuantizePerChannel(const at::Tensor& input, const at::Tensor& scales, const at::Tensor& zero_points,
                              int64_t axis, int64_t low, int64_t high, at::ScalarType dtype) {
  return Integers(input, Along(scales, input, axis), Along(zero_points, input, axis), low, high, dtype);
}

at::Tensor DequantizePerTensor(const at::Tensor& input, double scale, int64_t zero_point, int64_t, int64_t,
                               at::ScalarType, std::optional<at::ScalarType> dtype) {
  return Values(input, Number(scale), Number(static_cast<double>(zero_point)), dtype);
}

at::Tensor DequantizePerTensorBy(const at::Tensor& input, const at::Tensor& scale, const at::Tensor& zero_point,
                                 int64_t, int64_t, at::ScalarType, std::optional<at::ScalarType> dtype) {
  return Values(input, scale, zero_point, dtype);
}

at::Tensor DequantizePerChannel(const at::Tensor& input, const at::Tensor& scales,
                                const std::optional<at::Tensor>& zero_points, int64_t axis, int64_t, int64_t,
                                at::ScalarType, std::optional<at::ScalarType> dtype) {
  return Values(input, Along(scales, input, axis), zero_points ? Along(*zero_points, input, axis) : Number(0), dtype);
}

// The output; what comes with it only training reads.
std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, c10::SymInt, c10::SymInt, at::Tensor, at::Tensor, at::Tensor>
FlashAttention(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value, double, bool causal, bool,
               std::optional<double> scale) {
  const at::Tensor y = at::scaled_dot_product_attention(query, key, value, std::nullopt, 0.0, causal, scale);
  const at::Tensor none = at::empty({0});
  return {y, none, none, none, 0, 0, none, none, none};
}

std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor> EfficientAttention(
    const at::Tensor& query, const at::Tensor& key, const at::Tensor& value, const std::optional<at::Tensor>& bias,
    bool, double, bool causal, std::optional<double> scale) {
  const at::Tensor y = at::scaled_dot_product_attention(query, key, value, bias, 0.0, causal, scale);
  const at::Tensor none = at::empty({0});
  return {y, none, none, none};
}

}  // namespace
}  // namespace onnxport::conformance

TORCH_LIBRARY_IMPL(aten, CPU, m) {
  m.impl("_scaled_dot_product_flash_attention", &onnxport::conformance::FlashAttention);
  m.impl("_scaled_dot_product_efficient_attention", &onnxport::conformance::EfficientAttention);
}

TORCH_LIBRARY(quantized_decomposed, m) {
  using namespace onnxport::conformance;  // NOLINT: the macro opens no namespace of ours
  m.def(
      "quantize_per_tensor(Tensor input, float scale, int zero_point, int quant_min, int quant_max, ScalarType dtype) "
      "-> Tensor",
      &QuantizePerTensor);
  m.def(
      "quantize_per_tensor.tensor(Tensor input, Tensor scale, Tensor zero_point, int quant_min, int quant_max, "
      "ScalarType dtype) -> Tensor",
      &QuantizePerTensorBy);
  m.def(
      "quantize_per_channel(Tensor input, Tensor scales, Tensor zero_points, int axis, int quant_min, int quant_max, "
      "ScalarType dtype) -> Tensor",
      &QuantizePerChannel);
  m.def(
      "dequantize_per_tensor(Tensor input, float scale, int zero_point, int quant_min, int quant_max, ScalarType "
      "dtype, *, ScalarType? out_dtype=None) -> Tensor",
      &DequantizePerTensor);
  m.def(
      "dequantize_per_tensor.tensor(Tensor input, Tensor scale, Tensor zero_point, int quant_min, int quant_max, "
      "ScalarType dtype, *, ScalarType? out_dtype=None) -> Tensor",
      &DequantizePerTensorBy);
  m.def(
      "dequantize_per_channel(Tensor input, Tensor scales, Tensor? zero_points, int axis, int quant_min, int "
      "quant_max, ScalarType dtype, *, ScalarType? out_dtype=None) -> Tensor",
      &DequantizePerChannel);
}
