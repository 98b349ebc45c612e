// Makes weights of the archive tensors. A quantized one becomes a call that makes it from its integers. The result is a
// float tensor that is known to be on a grid (values/grids.h). Operators without a quantized form treat it as a float
// tensor.
#include "runtime/sources/torchscript/interpret/boundary/weights.h"

#include <fmt/format.h>

#include <cstdint>

#include "runtime/sources/torchscript/interpret/quantized/packed.h"
#include "runtime/sources/torchscript/interpret/values/leaves.h"

namespace onnxport::torchscript {
namespace {

constexpr int64_t kSmall = 64;  // size of a weight up to which its contents may be read

std::string BytesOf(const std::vector<double>& numbers, ir::DType dtype) {
  std::string bytes;
  const auto append = [&](auto number) { bytes.append(reinterpret_cast<const char*>(&number), sizeof(number)); };
  for (const double number : numbers) {
    if (dtype == ir::DType::kFloat32)
      append(static_cast<float>(number));
    else
      append(static_cast<int32_t>(number));
  }
  return bytes;
}

int64_t ElementsOf(const ir::TensorData& data) {
  int64_t count = 1;
  for (const int64_t size : data.shape) {
    if (size > kSmall || count > kSmall) return kSmall + 1;
    count *= size;
  }
  return count;
}

}  // namespace

Value Weights::Add(const std::string& name, const Pickled::Tensor& tensor) {
  const ir::ValueId id = tracer_.AddWeight(name, tensor.data);
  if (!tensor.quantizer) {
    operators_.NoteWeight(id, tensor.requires_grad);
    // The numbers of small ones may be needed: packed convolutions store strides and paddings in a tensor.
    if (!tensor.data->bytes->absent() && ElementsOf(*tensor.data) <= kSmall) small_[id] = tensor.data;
    return {Tensor{id}};
  }
  const QuantizerInfo& info = *tensor.quantizer;
  if (info.scales.empty() || info.scales.size() != info.zero_points.size())
    return {Missing{.reason = fmt::format("{} is quantized without a scale", name)}};
  if (info.per_byte > 1 && (info.axis != 0 || info.is_whole))
    return {Missing{.reason = fmt::format("{} has 4-bit elements and is no table of an embedding", name)}};
  Grid grid;
  grid.dtype = tensor.data->dtype;
  grid.per_byte = info.per_byte;
  grid.axis = info.axis;
  grid.integers = id;
  Value made;
  if (info.axis < 0) {
    const auto zero_point = static_cast<int64_t>(info.zero_points[0]);
    grid.scale = {info.scales[0]};
    grid.zero_point = {zero_point};
    made = LeafValues(tracer_.Call("aten::_make_per_tensor_quantized_tensor", {{id}, {info.scales[0]}, {zero_point}}),
                      tracer_);
  } else {
    made = AddChannels(name, info, &grid);
  }
  if (const auto* value = made.As<Tensor>()) grids_.Set(value->id, grid);
  return made;
}

Value Weights::AddChannels(const std::string& name, const QuantizerInfo& info, Grid* grid) {
  const auto weight = [&](const char* part, const std::vector<double>& numbers, ir::DType dtype) {
    const auto count = static_cast<int64_t>(numbers.size());
    return tracer_.AddWeight(name + part, ir::MakeTensor(dtype, {count}, BytesOf(numbers, dtype)));
  };
  const ir::ValueId scale = weight(".scale", info.scales, ir::DType::kFloat32);
  const ir::ValueId zero_point =
      weight(".zero_point", info.zero_points, info.is_whole ? ir::DType::kInt32 : ir::DType::kFloat32);
  grid->scale = {Tensor{scale}};
  grid->zero_point = {Tensor{zero_point}};
  if (info.per_byte > 1)
    return LeafValues(tracer_.Call("qdq::dequantize_4bit", {{grid->integers}, {scale}, {zero_point}}), tracer_);
  return LeafValues(
      tracer_.Call("aten::_make_per_channel_quantized_tensor", {{grid->integers}, {scale}, {zero_point}, {info.axis}}),
      tracer_);
}

std::vector<double> Weights::NumbersIn(const Tensor& weight) const {
  const auto found = small_.find(weight.id);
  return found == small_.end() ? std::vector<double>() : ReadNumbers(*found->second);
}

}  // namespace onnxport::torchscript
