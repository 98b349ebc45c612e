// The operators that the Python package torchao registers, from ATen's, under the same schemas.
#include <ATen/ExpandUtils.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/round.h>
#include <ATen/ops/rsub.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>
#include <torch/library.h>

#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace onnxport::conformance {
namespace {

using Limit = std::optional<at::Scalar>;

std::pair<double, double> LimitsOf(at::ScalarType dtype, const Limit& low, const Limit& high) {
  const std::pair<double, double> full = dtype == at::kByte    ? std::pair(0.0, 255.0)
                                         : dtype == at::kChar  ? std::pair(-128.0, 127.0)
                                         : dtype == at::kShort ? std::pair(-32768.0, 32767.0)
                                                               : std::pair(-2147483648.0, 2147483647.0);
  TORCH_CHECK(at::isIntegralType(dtype, /*includeBool=*/false) && dtype != at::kLong);
  return {low ? low->toDouble() : full.first, high ? high->toDouble() : full.second};
}

// Axes split into blocks and the elements of one, and the axes of the latter.
struct Blocks {
  Blocks(at::IntArrayRef sizes, at::IntArrayRef blocks) {
    TORCH_CHECK(sizes.size() == blocks.size());
    for (size_t i = 0; i < sizes.size(); ++i) {
      if (blocks[i] > 1 && blocks[i] != sizes[i]) {
        TORCH_CHECK(sizes[i] % blocks[i] == 0);
        split.push_back(sizes[i] / blocks[i]);
        grids.push_back(split.back());
        split.push_back(blocks[i]);
        within.push_back(static_cast<int64_t>(split.size()) - 1);
        grids.push_back(1);
      } else {
        split.push_back(sizes[i]);
        grids.push_back(blocks[i] == 1 ? sizes[i] : 1);
        if (blocks[i] != 1) within.push_back(static_cast<int64_t>(split.size()) - 1);
      }
      counts.push_back(blocks[i] > 0 ? sizes[i] / blocks[i] : 1);
    }
  }

  std::vector<int64_t> split, grids, within, counts;
};

at::Tensor Quantize(const at::Tensor& input, at::IntArrayRef block_size, const at::Tensor& scale,
                    const std::optional<at::Tensor>& zero_point, at::ScalarType dtype, const Limit& quant_min,
                    const Limit& quant_max) {
  TORCH_CHECK(input.scalar_type() == at::kFloat || input.scalar_type() == at::kHalf ||
              input.scalar_type() == at::kBFloat16);
  TORCH_CHECK(zero_point.has_value());
  const auto [low, high] = LimitsOf(dtype, quant_min, quant_max);
  const Blocks blocks(input.sizes(), block_size);
  const at::Tensor steps = at::round(input.reshape(blocks.split) * (1.0 / scale.reshape(blocks.grids)));
  return at::clamp(steps + zero_point->reshape(blocks.grids), low, high).view(input.sizes()).to(dtype);
}

at::Tensor Dequantize(const at::Tensor& input, at::IntArrayRef block_size, const at::Tensor& scale,
                      const std::optional<at::Tensor>& zero_point, at::ScalarType, const Limit&, const Limit&,
                      at::ScalarType dtype) {
  const Blocks blocks(input.sizes(), block_size);
  at::Tensor values = input.reshape(blocks.split).to(dtype);
  if (zero_point) values = values - zero_point->reshape(blocks.grids).to(dtype);
  return (values * scale.reshape(blocks.grids)).view(input.sizes()).to(dtype);
}

std::tuple<at::Tensor, at::Tensor> Choose(const std::optional<at::Tensor>& given, const std::string& mapping,
                                          at::IntArrayRef block_size, at::ScalarType target, const Limit& quant_min,
                                          const Limit& quant_max, std::optional<double> eps,
                                          std::optional<at::ScalarType> scale_dtype,
                                          std::optional<at::ScalarType> zero_dtype, bool keepdim) {
  const at::Tensor& input = given.value();
  const auto [first, last] = LimitsOf(target, quant_min, quant_max);
  const at::ScalarType dtype = input.scalar_type();
  const double smallest = dtype == at::kHalf     ? 6.103515625e-05
                          : dtype == at::kDouble ? std::numeric_limits<double>::min()
                                                 : std::numeric_limits<float>::min();
  const double least = eps.value_or(smallest);
  const Blocks blocks(input.sizes(), block_size);
  const at::Tensor x = input.reshape(blocks.split);
  const at::Tensor min = x.amin(blocks.within, keepdim);
  const at::Tensor max = x.amax(blocks.within, keepdim);
  const at::Tensor low = at::minimum(min, at::zeros_like(min));
  const at::Tensor high = at::maximum(max, at::zeros_like(max));
  at::Tensor scale;
  at::Tensor zero;
  if (mapping == "ASYMMETRIC") {
    scale = ((high - low) / (last - first)).clamp_min(least);
    zero = at::rsub(at::round(low / scale), first).clamp(first, last);
    zero_dtype = zero_dtype.value_or(at::kInt);
  } else {
    const at::Tensor by_low = low / first;
    const at::Tensor by_high = high / last;
    scale = mapping == "SYMMETRIC" ? at::maximum(-low, high) / ((last - first) / 2)
                                   : at::where(by_low > by_high, by_low, by_high);
    zero = at::full_like(scale, static_cast<int64_t>((last + first + 1) / 2));
    scale = scale.clamp_min(least);
  }
  if (keepdim) scale = scale.reshape(blocks.counts), zero = zero.reshape(blocks.counts);
  return {scale.to(scale_dtype.value_or(dtype)), zero.to(zero_dtype.value_or(zero.scalar_type()))};
}

double LargestOf(at::ScalarType dtype) {
  TORCH_CHECK(dtype == at::kFloat8_e4m3fn || dtype == at::kFloat8_e5m2);
  return dtype == at::kFloat8_e4m3fn ? 448 : 57344;
}

at::Tensor ChooseFloat8(const at::Tensor& tensor, at::IntArrayRef block_size, at::ScalarType dtype, at::ScalarType,
                        std::optional<double> low, std::optional<double> high) {
  const Blocks blocks(tensor.sizes(), block_size);
  at::Tensor largest = tensor.reshape(blocks.split).abs().amax(blocks.within, true);
  if (low || high) largest = at::clamp(largest, low ? Limit(*low) : std::nullopt, high ? Limit(*high) : std::nullopt);
  return (largest / LargestOf(dtype)).reshape(blocks.counts).to(at::kFloat);
}

// As large as the tensor, when it is not broadcast to that.
at::Tensor Expanded(const at::Tensor& scale, const at::Tensor& tensor) {
  if (scale.dim() != tensor.dim() || at::is_expandable_to(scale.sizes(), tensor.sizes())) return scale;
  at::Tensor expanded = scale;
  for (int64_t i = 0; i < tensor.dim(); ++i) {
    TORCH_CHECK(tensor.size(i) % scale.size(i) == 0);
    expanded = expanded.repeat_interleave(tensor.size(i) / scale.size(i), i);
  }
  return expanded;
}

at::Tensor QuantizeFloat8(const at::Tensor& tensor, const at::Tensor& scale, at::ScalarType dtype) {
  const double largest = LargestOf(dtype);
  return (tensor.to(at::kFloat) / Expanded(scale, tensor)).clamp(-largest, largest).to(dtype);
}

at::Tensor DequantizeFloat8(const at::Tensor& tensor, const at::Tensor& scale, at::ScalarType dtype) {
  return (tensor.to(at::kFloat) * Expanded(scale, tensor)).to(dtype);
}

}  // namespace
}  // namespace onnxport::conformance

TORCH_LIBRARY(torchao, m) {
  using namespace onnxport::conformance;  // NOLINT: the macro opens no namespace of ours
  m.def(
      "quantize_affine(Tensor input, SymInt[] block_size, Tensor scale, Tensor? zero_point, ScalarType output_dtype, "
      "Scalar? quant_min=None, Scalar? quant_max=None) -> Tensor",
      &Quantize);
  m.def(
      "dequantize_affine(Tensor input, SymInt[] block_size, Tensor scale, Tensor? zero_point, ScalarType input_dtype, "
      "Scalar? quant_min=None, Scalar? quant_max=None, ScalarType output_dtype=6) -> Tensor",
      &Dequantize);
  m.def(
      "choose_qparams_affine(Tensor? input, str mapping_type, SymInt[] block_size, ScalarType target_dtype, Scalar? "
      "quant_min=None, Scalar? quant_max=None, float? eps=None, ScalarType? scale_dtype=None, ScalarType? "
      "zero_point_dtype=None, bool keepdim=False) -> (Tensor, Tensor)",
      &Choose);
  m.def(
      "choose_scale_float8(Tensor tensor, SymInt[] block_size, ScalarType float8_dtype=24, ScalarType scale_dtype=6, "
      "float? hp_value_lb=None, float? hp_value_ub=None) -> Tensor",
      &ChooseFloat8);
  m.def("quantize_affine_float8_non_decomposed(Tensor tensor, Tensor scale, ScalarType float8_dtype=24) -> Tensor",
        &QuantizeFloat8);
  m.def("dequantize_affine_float8_non_decomposed(Tensor tensor, Tensor scale, ScalarType output_dtype=6) -> Tensor",
        &DequantizeFloat8);
}
