#include "runtime/model/passes/weights/makers.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "runtime/model/passes/weights/converted_tensor.h"
#include "runtime/model/passes/weights/scaled_tensor.h"
#include "runtime/model/passes/weights/transposed_tensor.h"

namespace onnxport::passes {
namespace {

using nlohmann::json;
using Floats = std::vector<double>;

WeightDatas OneOf(WeightData made) { return made == nullptr ? WeightDatas() : WeightDatas{std::move(made)}; }

// Nothing for a type whose elements have no bytes of their own, and for invalid sizes.
std::optional<int64_t> BytesOfType(ir::DType dtype, const std::vector<int64_t>& shape) {
  int64_t bytes = ir::ByteSize(dtype);
  for (const int64_t size : shape) {
    if (size < 0 || __builtin_mul_overflow(bytes, size, &bytes)) return std::nullopt;
  }
  return ir::ByteSize(dtype) == 0 ? std::nullopt : std::optional(bytes);
}

std::optional<int64_t> BytesOfData(const ir::TensorData& data) { return BytesOfType(data.dtype, data.shape); }

// The type without elements.
ir::TensorData TypeIn(const json& type) {
  ir::TensorData data;
  data.dtype = ir::ParseDType(type.at(0).get<std::string>()).value_or(ir::DType::kUndefined);
  type.at(1).get_to(data.shape);
  return data;
}

WeightDatas Viewed(const json& how, const WeightDatas& of) {
  ir::TensorData view = TypeIn(how);
  const std::optional<int64_t> bytes = BytesOfData(view);
  if (of.size() != 1 || !bytes || bytes != BytesOfData(*of[0])) return {};
  view.bytes = of[0]->bytes;
  return OneOf(std::make_shared<const ir::TensorData>(std::move(view)));
}

bool IsPermutation(std::vector<int64_t> perm, size_t rank) {
  std::ranges::sort(perm);
  for (size_t i = 0; i < perm.size(); ++i) {
    if (perm[i] != static_cast<int64_t>(i)) return false;
  }
  return perm.size() == rank;
}

WeightDatas Transposed(const json& how, const WeightDatas& of) {
  const auto perm = how.get<std::vector<int64_t>>();
  if (of.size() != 1 || !IsPermutation(perm, of[0]->shape.size())) return {};
  return OneOf(TransposedTensor(of[0], perm));
}

WeightDatas Cast(const json& how, const WeightDatas& of) {
  const std::optional<ir::DType> to = ir::ParseDType(how.get<std::string>());
  if (of.size() != 1 || !to) return {};
  return OneOf(ConvertedTensor(of[0], *to));
}

bool FitsHalf(const json& how, const WeightDatas& of) {
  const std::optional<ir::DType> to = ir::ParseDType(how.get<std::string>());
  return of.size() == 1 && to && of[0]->dtype == ir::DType::kFloat32 && LargestBeyond(*of[0], *to) == 0;
}

WeightDatas Pieces(const json& how, const WeightDatas& of) {
  const ir::TensorData type = TypeIn(how.at("type"));
  ByteLayout layout = {.dtype = type.dtype, .shape = type.shape, .ranges = {}};
  std::optional<int64_t> left = BytesOfData(type);
  if (!left) return {};
  for (const json& range : how.at("ranges")) {
    const ByteRange piece = {.source = range.at(0).get<size_t>(), .begin = range.at(1), .size = range.at(2)};
    const std::optional<int64_t> bytes = piece.source < of.size() ? BytesOfData(*of[piece.source]) : std::nullopt;
    if (!bytes || piece.begin < 0 || piece.begin > *bytes || piece.size < 0 || piece.size > *bytes - piece.begin ||
        piece.size > *left)
      return {};
    *left -= piece.size;
    layout.ranges.push_back(piece);
  }
  return *left == 0 ? OneOf(AssembleTensor(layout, of)) : WeightDatas();
}

constexpr double kLargest = 0x1p40;  // of a number that is added

// A norm turns x of channel i into x * factors[i] + offsets[i].
struct Affine {
  Floats factors;
  Floats offsets;
};

// Numbers for each channel, with the weight's dtype; nothing if one has another form.
std::optional<std::vector<Floats>> ReadChannels(const ir::TensorData& weight, size_t axis,
                                                std::span<const WeightData> datas) {
  std::vector<Floats> all;
  for (const WeightData& data : datas) {
    if (data->dtype != weight.dtype || data->shape != std::vector{weight.shape[axis]}) return std::nullopt;
    std::optional<Floats> floats = ReadFloats(*data, kMostFactors);
    if (!floats) return std::nullopt;
    all.push_back(*std::move(floats));
  }
  return all;
}

std::optional<Affine> AffineOf(const std::vector<Floats>& norm, double epsilon) {
  const Floats& scale = norm[0];
  const Floats& bias = norm[1];
  const Floats& mean = norm[2];
  const Floats& variance = norm[3];
  Affine affine;
  for (size_t i = 0; i < scale.size(); ++i) {
    const double factor = scale[i] / std::sqrt(variance[i] + epsilon);
    // Step by step in double precision, each in a variable. A single expression might be computed with a fused
    // multiply-add, and the bytes of the model would depend on the machine.
    const double shift = mean[i] * factor;
    const double offset = bias[i] - shift;
    // NaN fails this check, too.
    if (!IsTame(factor) || !(std::abs(shift) <= kLargest) || !(std::abs(offset) <= kLargest)) return std::nullopt;
    affine.factors.push_back(factor);
    affine.offsets.push_back(offset);
  }
  return affine;
}

bool AddBias(const Floats& bias, Affine* affine) {
  for (size_t i = 0; i < bias.size(); ++i) {
    if (!(std::abs(bias[i]) <= kLargest)) return false;
    const double scaled = bias[i] * affine->factors[i];
    affine->offsets[i] += scaled;
  }
  return true;
}

WeightDatas WithBatchNorm(const json& how, const WeightDatas& of) {
  constexpr size_t kOfNorm = 4;
  const auto axis = how.at("axis").get<size_t>();
  if (of.size() < 1 + kOfNorm || of.size() > 2 + kOfNorm || axis >= of[0]->shape.size()) return {};
  const auto channels = ReadChannels(*of[0], axis, std::span(of).subspan(1));
  std::optional<Affine> affine = channels ? AffineOf(*channels, how.at("epsilon")) : std::nullopt;
  if (!affine || (channels->size() > kOfNorm && !AddBias(channels->back(), &*affine))) return {};
  WeightData bias = FloatTensor(of[0]->dtype, affine->offsets);
  return {ScaledTensor(of[0], std::move(affine->factors), axis), std::move(bias)};
}

WeightDatas WithWeightNorm(const json& how, const WeightDatas& of) {
  const auto axis = how.get<size_t>();
  if (of.size() != 2 || axis >= of[0]->shape.size()) return {};
  std::vector<int64_t> kept(of[0]->shape.size(), 1);
  kept[axis] = of[0]->shape[axis];
  if (of[1]->dtype != of[0]->dtype || of[1]->shape != kept) return {};
  std::optional<Floats> factors = ReadFloats(*of[1], kMostFactors);
  if (!factors) return {};
  const Floats squares = SumsOfSquares(*of[0], axis);
  for (size_t i = 0; i < factors->size(); ++i) {
    (*factors)[i] /= std::sqrt(squares[i]);
    // A row of zeros has the norm 0, and g / 0 is infinite or NaN. The nodes stay, and their result does not change.
    if ((*factors)[i] == 0 || !IsTame((*factors)[i])) return {};
  }
  return OneOf(ScaledTensor(of[0], *std::move(factors), axis));
}

}  // namespace

const Maker kViewed = {.name = "view", .make = Viewed};
const Maker kTransposed = {.name = "transpose", .make = Transposed};
const Maker kCast = {.name = "cast", .make = Cast};
const Maker kRounded = {.name = "round", .make = Cast, .suits = FitsHalf};
const Maker kPieces = {.name = "pieces", .make = Pieces};
const Maker kBatchNorm = {.name = "batch_norm", .make = WithBatchNorm};
const Maker kWeightNorm = {.name = "weight_norm", .make = WithWeightNorm};
const Maker kUnstated = {.name = "unstated", .make = nullptr};

json TypeJson(ir::DType dtype, const std::vector<int64_t>& shape) { return {std::string(ir::Name(dtype)), shape}; }

json PiecesJson(const ByteLayout& layout) {
  json ranges = json::array();
  for (const ByteRange& range : layout.ranges) ranges.push_back({range.source, range.begin, range.size});
  return {{"type", TypeJson(layout.dtype, layout.shape)}, {"ranges", std::move(ranges)}};
}

}  // namespace onnxport::passes
