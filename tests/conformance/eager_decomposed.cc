// Operators that eager PyTorch lacks here, from ATen's others: those of quantized_decomposed::, which PyTorch defines
// in Python, and attention as it is on a GPU.
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/add.h>
#include <ATen/ops/aminmax.h>
#include <ATen/ops/bitwise_and.h>
#include <ATen/ops/bitwise_right_shift.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/round.h>
#include <ATen/ops/rsub.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <torch/library.h>

#include <optional>
#include <string>
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

at::Tensor QuantizePerTensorWithin(const at::Tensor& input, const at::Tensor& scale, const at::Tensor& zero_point,
                                   const at::Tensor& low, const at::Tensor& high, at::ScalarType dtype) {
  return Integers(input, scale, zero_point, low.item<int64_t>(), high.item<int64_t>(), dtype);
}

at::Tensor DequantizePerTensorWithin(const at::Tensor& input, const at::Tensor& scale, const at::Tensor& zero_point,
                                     const at::Tensor&, const at::Tensor&, at::ScalarType,
                                     std::optional<at::ScalarType> dtype) {
  return Values(input, scale, zero_point, dtype);
}

using Grid = std::tuple<at::Tensor, at::Tensor>;

void CheckSingleOrHalf(const at::Tensor& input) {
  TORCH_CHECK(input.scalar_type() == at::kFloat || input.scalar_type() == at::kHalf ||
              input.scalar_type() == at::kBFloat16);
}

// 0 is on every grid.
std::pair<at::Tensor, at::Tensor> EndsWithZero(const at::Tensor& low, const at::Tensor& high) {
  return {at::minimum(low, at::zeros_like(low)), at::maximum(high, at::zeros_like(high))};
}

Grid ChooseGrid(const at::Tensor& input, int64_t first, int64_t last, double eps, at::ScalarType) {
  CheckSingleOrHalf(input);
  const auto [min, max] = at::aminmax(input);
  const auto [low, high] = EndsWithZero(min, max);
  const at::Tensor scale = at::maximum((high - low) / static_cast<double>(last - first), at::full({1}, eps));
  const at::Tensor zero = at::rsub(at::round(low / scale).to(at::kInt), first).clamp(first, last);
  return {scale.to(at::kDouble), zero.to(at::kLong)};
}

Grid ChooseSymmetricGrid(const at::Tensor& input, int64_t first, int64_t last, double eps, at::ScalarType dtype) {
  CheckSingleOrHalf(input);
  const auto [min, max] = at::aminmax(input);
  const auto [low, high] = EndsWithZero(min, max);
  const at::Tensor scale =
      at::maximum(at::maximum(-low, high) / (static_cast<double>(last - first) / 2), at::full({1}, eps));
  return {scale.to(at::kDouble), at::full({1}, dtype == at::kByte ? 128 : 0, at::kLong)};
}

Grid ChooseGridPerToken(const at::Tensor& input, at::ScalarType dtype) {
  TORCH_CHECK(dtype == at::kChar);
  at::Tensor scales = input.abs().amax(-1, true);
  if (scales.scalar_type() == at::kHalf) scales = scales.to(at::kFloat);
  scales = scales.clamp_min(1e-5).div(127);
  return {scales, at::zeros_like(scales)};
}

Grid ChooseGridPerTokenAsymmetric(const at::Tensor& input, at::ScalarType) {
  const auto [low, high] = EndsWithZero(input.amin(-1, true), input.amax(-1, true));
  const at::Tensor scale = ((high - low) / 255.0).clamp_min(1.1920928955078125e-07);
  const at::Tensor from_low = low / scale;
  const at::Tensor from_high = high / scale;
  const at::Tensor errors = at::add(from_low, -128) + at::add(from_high, 127);
  const at::Tensor zero = at::where(errors > 0, at::rsub(from_low, -128), at::rsub(from_high, 127));
  return {scale.to(at::kDouble), zero.clamp(-128, 127).round().to(at::kLong)};
}

at::Tensor QuantizePerToken(const at::Tensor& input, const at::Tensor& scales, const at::Tensor& zero_points,
                            int64_t low, int64_t high, at::ScalarType dtype) {
  return input.mul(1.0 / scales).add(zero_points).round().clamp(low, high).to(dtype);
}

at::Tensor DequantizePerToken(const at::Tensor& input, const at::Tensor& scales, const at::Tensor& zero_points, int64_t,
                              int64_t, at::ScalarType, at::ScalarType dtype) {
  return ((input - zero_points) * scales).to(dtype);
}

// A row each.
at::Tensor Groups(const at::Tensor& input, const at::Tensor& scales, int64_t size) {
  TORCH_CHECK(size > 1 && input.dim() == 2);
  if (size > input.size(-1) && scales.size(-1) == 1) size = input.size(-1);
  TORCH_CHECK(input.size(-1) % size == 0);
  return input.reshape({-1, size});
}

at::Tensor QuantizePerGroup(const at::Tensor& input, const at::Tensor& scales, const at::Tensor& zero_points,
                            int64_t low, int64_t high, at::ScalarType dtype, int64_t size) {
  return QuantizePerToken(Groups(input, scales, size), scales.reshape({-1, 1}), zero_points.reshape({-1, 1}), low, high,
                          dtype)
      .reshape_as(input);
}

at::Tensor DequantizePerGroup(const at::Tensor& input, const at::Tensor& scales,
                              const std::optional<at::Tensor>& zero_points, int64_t, int64_t, at::ScalarType,
                              int64_t size, at::ScalarType dtype) {
  const at::Tensor zero = zero_points ? zero_points->reshape({-1, 1}) : at::zeros({}, at::kInt);
  return Groups(input, scales, size).sub(zero).mul(scales.reshape({-1, 1})).reshape_as(input).to(dtype);
}

at::Tensor FakeQuantPerChannel(const at::Tensor& input, const at::Tensor& scales, const at::Tensor& zero_points,
                               int64_t axis, int64_t low, int64_t high) {
  TORCH_CHECK(input.scalar_type() == at::kFloat);
  const at::Tensor scale = Along(scales, input, axis).to(at::kFloat);
  const at::Tensor zero = Along(zero_points, input, axis).to(at::kInt);
  return (at::clamp(at::round(input * (1.0 / scale)) + zero, low, high) - zero) * scale;
}

at::Tensor ConvertElementType(const at::Tensor& input, at::ScalarType dtype) {
  return input.to(dtype, /*non_blocking=*/false, /*copy=*/true);
}

// Rows of a table of integers, each on as many grids as `scales` has columns.
at::Tensor Embedding(const at::Tensor& weight, const at::Tensor& scales, const std::optional<at::Tensor>& zero_points,
                     const at::Tensor& indices, std::optional<at::ScalarType> dtype) {
  TORCH_CHECK(scales.scalar_type() == at::kHalf || scales.scalar_type() == at::kFloat);
  TORCH_CHECK(!zero_points || zero_points->scalar_type() == scales.scalar_type());
  const int64_t size = weight.size(1) / (scales.dim() == 2 ? scales.size(1) : 1);
  return at::embedding(
      DequantizePerGroup(weight, scales, zero_points, 0, 0, at::kChar, size, dtype.value_or(scales.scalar_type())),
      indices);
}

// Parts of `bits` bits of each byte, as signed integers.
at::Tensor Unpacked(const at::Tensor& weight, int bits, bool highest_first) {
  TORCH_CHECK(weight.scalar_type() == at::kByte);
  std::vector<at::Tensor> parts;
  for (int shift = 0; shift < 8; shift += bits) {
    parts.push_back(
        at::bitwise_and(at::bitwise_right_shift(weight, highest_first ? 8 - bits - shift : shift), (1 << bits) - 1));
  }
  return at::stack(parts, -1).view({weight.size(0), -1}).to(at::kChar).sub(1 << (bits - 1));
}

// For elements of 8, 4 or 2 bits; with 4 bits the highest come first.
template <int bits>
at::Tensor EmbeddingTo(const at::Tensor& weight, const at::Tensor& scales, const std::optional<at::Tensor>& zero_points,
                       int64_t, int64_t, const at::Tensor& indices, std::optional<at::ScalarType> dtype) {
  return Embedding(bits == 8 ? weight : Unpacked(weight, bits, bits == 4), scales, zero_points, indices, dtype);
}

template <int bits>
at::Tensor EmbeddingOf(const at::Tensor& weight, const at::Tensor& scales, const std::optional<at::Tensor>& zero_points,
                       int64_t low, int64_t high, const at::Tensor& indices) {
  return EmbeddingTo<bits>(weight, scales, zero_points, low, high, indices, std::nullopt);
}

template <int bits>
void DefineEmbedding(torch::Library& m, const std::string& name) {
  const std::string arguments =
      "(Tensor weight, Tensor weight_scales, Tensor? weight_zero_points, int weight_quant_min, int weight_quant_max, "
      "Tensor indices";
  m.def((name + arguments + ") -> Tensor").c_str(), &EmbeddingOf<bits>);
  m.def((name + ".dtype" + arguments + ", *, ScalarType? dtype=None) -> Tensor").c_str(), &EmbeddingTo<bits>);
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
  m.def(
      "quantize_per_tensor.tensor2(Tensor input, Tensor scale, Tensor zero_point, Tensor quant_min, Tensor "
      "quant_max, ScalarType dtype) -> Tensor",
      &QuantizePerTensorWithin);
  m.def(
      "dequantize_per_tensor.tensor2(Tensor input, Tensor scale, Tensor zero_point, Tensor quant_min, "
      "Tensor quant_max, ScalarType dtype, *, ScalarType? out_dtype=None) -> Tensor",
      &DequantizePerTensorWithin);
  m.def(
      "choose_qparams.tensor(Tensor input, int quant_min, int quant_max, float eps, ScalarType dtype) -> "
      "(Tensor, Tensor)",
      &ChooseGrid);
  m.def(
      "choose_qparams_symmetric.tensor(Tensor input, int quant_min, int quant_max, float eps, ScalarType "
      "dtype) -> (Tensor, Tensor)",
      &ChooseSymmetricGrid);
  m.def("choose_qparams_per_token(Tensor input, ScalarType dtype) -> (Tensor, Tensor)", &ChooseGridPerToken);
  m.def("choose_qparams_per_token_asymmetric(Tensor input, ScalarType dtype) -> (Tensor, Tensor)",
        &ChooseGridPerTokenAsymmetric);
  m.def("_choose_qparams_per_token_asymmetric_impl(Tensor input, ScalarType dtype) -> (Tensor, Tensor)",
        &ChooseGridPerTokenAsymmetric);
  m.def(
      "quantize_per_token(Tensor input, Tensor scales, Tensor zero_points, int quant_min, int quant_max, "
      "ScalarType dtype) -> Tensor",
      &QuantizePerToken);
  m.def(
      "dequantize_per_token(Tensor input, Tensor scales, Tensor zero_points, int quant_min, int quant_max, "
      "ScalarType dtype, ScalarType output_dtype) -> Tensor",
      &DequantizePerToken);
  m.def(
      "quantize_per_channel_group(Tensor input, Tensor scales, Tensor zero_points, int quant_min, int "
      "quant_max, ScalarType dtype, int group_size) -> Tensor",
      &QuantizePerGroup);
  m.def(
      "dequantize_per_channel_group(Tensor input, Tensor scales, Tensor? zero_points, int quant_min, int "
      "quant_max, ScalarType dtype, int group_size, ScalarType output_dtype) -> Tensor",
      &DequantizePerGroup);
  m.def(
      "fake_quant_per_channel(Tensor input, Tensor scales, Tensor zero_points, int axis, int quant_min, int "
      "quant_max) -> Tensor",
      &FakeQuantPerChannel);
  m.def("convert_element_type.no_fuse(Tensor input, ScalarType dtype) -> Tensor", &ConvertElementType);
  DefineEmbedding<8>(m, "embedding_byte");
  DefineEmbedding<4>(m, "embedding_4bit");
  DefineEmbedding<2>(m, "embedding_2bit");
}
