#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/ir/packed_dtype.h"
#include "runtime/model/passes/quantize/group_tiles.h"
#include "runtime/model/passes/quantize/quantized_numbers.h"
#include "runtime/model/passes/quantize/quantized_tensor.h"
#include "runtime/model/passes/weights/element_blocks.h"
#include "runtime/model/passes/weights/integer_packer.h"

namespace onnxport::passes {
namespace {

using ir::ByteSink;
using ir::DType;

// Counts the groups that lost nearly all of their numbers.
class LossCounter {
 public:
  LossCounter(size_t columns, bool two_bits) : counts_(columns), two_bits_(two_bits) {}

  void Add(size_t column, bool before, bool after) {
    counts_[column].before += before;
    counts_[column].after += after;
  }
  void EndTile() {
    for (NonZeros& count : counts_) lost_ += IsLost(std::exchange(count, {}), two_bits_);
    groups_ += std::ssize(counts_);
  }
  void Tell(const std::string& weight, PrecisionLoss* lost) const { lost->Note(weight, lost_, groups_); }

 private:
  std::vector<NonZeros> counts_;  // of the groups of a tile
  bool two_bits_;
  int64_t lost_ = 0;
  int64_t groups_ = 0;
};

class ElementBytes : public ir::TensorBytes {
 public:
  ElementBytes(std::shared_ptr<const GroupTiles> tiles, std::shared_ptr<PrecisionLoss> lost)
      : tiles_(std::move(tiles)), lost_(std::move(lost)) {}

  void Stream(const ByteSink& sink) const override {
    GroupScales scales(*tiles_);
    const DType dtype = tiles_->numbers().elements;
    IntegerPacker packer(ir::PackedBits(dtype), sink);
    LossCounter counter(tiles_->columns(), ir::PackedBits(dtype) == 2);
    tiles_->ForEach([&](std::span<const float> tile) {
      scales.Read(tile);
      dtype == ir::kFloat4E2M1 ? AddFloats(tile, scales, &packer, &counter)
                               : AddIntegers(tile, scales, &packer, &counter);
      counter.EndTile();
    });
    packer.Finish();
    if (lost_ != nullptr) counter.Tell(tiles_->name(), lost_.get());
  }

 private:
  void AddIntegers(std::span<const float> tile, const GroupScales& scales, IntegerPacker* packer,
                   LossCounter* counter) const {
    const IntegerRange& range = tiles_->numbers().range;
    const size_t inner = scales.scales().size();
    for (size_t i = 0; i < tile.size(); i += inner) {
      for (size_t j = 0; j < inner; ++j) {
        const float number = tile[i + j];
        const auto zero = static_cast<int32_t>(scales.zero_points()[j]);
        const int32_t steps = std::clamp(ToNearest(number / scales.scales()[j]) + zero, range.least, range.largest);
        packer->Add(steps);
        counter->Add(j, number != 0, steps != zero);
      }
    }
  }

  static void AddFloats(std::span<const float> tile, const GroupScales& scales, IntegerPacker* packer,
                        LossCounter* counter) {
    const size_t inner = scales.scales().size();
    for (size_t i = 0; i < tile.size(); i += inner) {
      for (size_t j = 0; j < inner; ++j) {
        const int32_t bits = E2M1Bits(tile[i + j] / scales.scales()[j]);
        packer->Add(bits);
        counter->Add(j, tile[i + j] != 0, (bits & kE2M1Size) != 0);
      }
    }
  }

  std::shared_ptr<const GroupTiles> tiles_;
  std::shared_ptr<PrecisionLoss> lost_;
};

class ZeroPointBytes : public ir::TensorBytes {
 public:
  explicit ZeroPointBytes(std::shared_ptr<const GroupTiles> tiles) : tiles_(std::move(tiles)) {}

  void Stream(const ByteSink& sink) const override {
    GroupScales scales(*tiles_);
    IntegerPacker packer(ir::PackedBits(tiles_->numbers().elements), sink);
    tiles_->ForEach([&](std::span<const float> tile) {
      scales.Read(tile);
      for (const float zero : scales.zero_points()) packer.Add(static_cast<int32_t>(zero));
    });
    packer.Finish();
  }

 private:
  std::shared_ptr<const GroupTiles> tiles_;
};

class ScaleBytes : public ir::TensorBytes {
 public:
  explicit ScaleBytes(std::shared_ptr<const GroupTiles> tiles) : tiles_(std::move(tiles)) {}

  void Stream(const ByteSink& sink) const override {
    GroupScales scales(*tiles_);
    std::vector<uint8_t> powers;
    tiles_->ForEach([&](std::span<const float> tile) {
      scales.Read(tile);
      if (tiles_->type() == WeightType::kNvfp4) return sink(std::as_bytes(std::span(scales.bits())));
      if (tiles_->type() != WeightType::kMxfp4) return sink(std::as_bytes(std::span(scales.scales())));
      powers.resize(scales.scales().size());
      std::ranges::transform(scales.scales(), powers.begin(), E8M0Bits);
      sink(std::as_bytes(std::span(powers)));
    });
  }

 private:
  std::shared_ptr<const GroupTiles> tiles_;
};

// nvfp4: the scale to which the scales of the groups are relative.
class TensorScaleBytes : public ir::TensorBytes {
 public:
  explicit TensorScaleBytes(std::shared_ptr<const GroupTiles> tiles) : tiles_(std::move(tiles)) {}
  void Stream(const ByteSink& sink) const override {
    const float scale = GroupScales(*tiles_).tensor_scale();
    sink(std::as_bytes(std::span(&scale, 1)));
  }

 private:
  std::shared_ptr<const GroupTiles> tiles_;
};

}  // namespace

QuantizedTensor QuantizedByGroup(std::shared_ptr<const ir::TensorData> source, const Grouping& grouping,
                                 std::string name, std::shared_ptr<PrecisionLoss> lost) {
  std::vector<int64_t> shape = source->shape;
  const auto tiles = std::make_shared<const GroupTiles>(std::move(source), grouping, std::move(name));
  const auto tensor = [](DType dtype, std::vector<int64_t> sizes, std::shared_ptr<const ir::TensorBytes> bytes) {
    return std::make_shared<const ir::TensorData>(ir::TensorData{dtype, std::move(sizes), std::move(bytes)});
  };
  const StoredNumbers& types = tiles->numbers();
  QuantizedTensor made;
  made.elements = tensor(types.elements, shape, std::make_shared<ElementBytes>(tiles, std::move(lost)));
  int64_t& groups = shape[grouping.axis];
  groups = (groups + grouping.group - 1) / grouping.group;
  made.scales = tensor(types.scales, shape, std::make_shared<ScaleBytes>(tiles));
  if (types.range.has_zero_points)
    made.zero_points = tensor(types.elements, shape, std::make_shared<ZeroPointBytes>(tiles));
  if (grouping.type == WeightType::kNvfp4)
    made.scale_scale = tensor(DType::kFloat32, {}, std::make_shared<TensorScaleBytes>(tiles));
  return made;
}

int64_t GroupBytes(const ir::TensorData& source, const Grouping& grouping) {
  int64_t rows = std::min(grouping.group, source.shape[grouping.axis]);
  for (size_t i = grouping.axis + 1; i < source.shape.size(); ++i) rows *= source.shape[i];
  return rows * static_cast<int64_t>(sizeof(float));
}

}  // namespace onnxport::passes
