#include "runtime/model/passes/quantize/group_tiles.h"

#include <algorithm>
#include <utility>

#include "runtime/model/passes/quantize/not_quantizable.h"
#include "runtime/model/passes/quantize/quantized_numbers.h"
#include "runtime/model/passes/weights/float_blocks.h"

namespace onnxport::passes {
namespace {

// So the product with the least scale of a group, 2**-9, is not a number that a machine may flush to 0.
constexpr float kSmallestTensorScale = kSmallestScale * 0x1p9F;

}  // namespace

GroupTiles::GroupTiles(std::shared_ptr<const ir::TensorData> source, const Grouping& grouping, std::string name)
    : source_(std::move(source)),
      group_(grouping.group),
      type_(grouping.type),
      numbers_(NumbersOf({.type = grouping.type, .asymmetric = grouping.asymmetric})),
      name_(std::move(name)) {
  axis_ = source_->shape[grouping.axis];
  for (size_t i = grouping.axis + 1; i < source_->shape.size(); ++i) inner_ *= source_->shape[i];
  group_ = std::min(group_, std::max<int64_t>(axis_, 1));
}

void GroupTiles::ForEach(const std::function<void(std::span<const float> tile)>& visit) const {
  std::vector<float> tile(static_cast<size_t>(group_ * inner_));
  size_t filled = 0;
  int64_t row = 0;  // at which the tile begins
  const auto wanted = [&] { return static_cast<size_t>(std::min(group_, axis_ - row) * inner_); };
  ForEachFloatBlock(*source_, [&](std::span<const float> block) {
    while (!block.empty()) {
      const size_t count = std::min(wanted() - filled, block.size());
      std::ranges::copy(block.first(count), tile.begin() + static_cast<ptrdiff_t>(filled));
      block = block.subspan(count);
      filled += count;
      if (filled < wanted()) return;
      const auto rows = std::span<const float>(tile).first(filled);
      LargestOf(rows, name_);  // or an error
      visit(rows);
      row = row + group_ < axis_ ? row + group_ : 0;
      filled = 0;
    }
  });
}

float GroupTiles::Largest() const {
  const std::lock_guard lock(mutex_);
  if (!largest_) {
    float largest = 0;
    ForEachFloatBlock(*source_,
                      [&](std::span<const float> block) { largest = std::max(largest, LargestOf(block, name_)); });
    largest_ = largest;
  }
  return *largest_;
}

GroupScales::GroupScales(const GroupTiles& tiles) : tiles_(tiles), least_(tiles.columns()), largest_(tiles.columns()) {
  if (tiles.type() != WeightType::kNvfp4) return;
  tensor_scale_ = std::max(ScaleOf(tiles.Largest(), kLargestE2M1 * kLargestE4M3), kSmallestTensorScale);
  bits_.resize(tiles.columns());
}

void GroupScales::Read(std::span<const float> tile) {
  std::ranges::fill(least_, 0.0F);
  std::ranges::fill(largest_, 0.0F);
  for (size_t i = 0; i < tile.size(); i += least_.size()) {
    for (size_t j = 0; j < least_.size(); ++j) {
      least_[j] = std::min(least_[j], tile[i + j]);
      largest_[j] = std::max(largest_[j], tile[i + j]);
    }
  }
  const IntegerRange& range = tiles_.numbers().range;
  for (size_t j = 0; j < least_.size(); ++j) {
    const float scale = ScaleOfColumn(j);
    // The least is not needed any more, nor is the largest.
    least_[j] = range.has_zero_points
                    ? static_cast<float>(std::clamp(ToNearest(-least_[j] / scale), range.least, range.largest))
                    : 0;
    largest_[j] = scale;
  }
}

float GroupScales::ScaleOfColumn(size_t column) {
  const float size = std::max(largest_[column], -least_[column]);
  switch (tiles_.type()) {
    case WeightType::kMxfp4:
      return PowerScaleOf(size);
    case WeightType::kNvfp4:
      // At least the smallest, because division by 0 is impossible.
      bits_[column] = std::max<uint8_t>(E4M3Bits(size / kLargestE2M1 / tensor_scale_), 1);
      return E4M3Value(bits_[column]) * tensor_scale_;
    default: {
      const IntegerRange& range = tiles_.numbers().range;
      const float extent = range.has_zero_points ? largest_[column] - least_[column] : size;
      return ScaleOf(extent, static_cast<float>(range.largest));
    }
  }
}

}  // namespace onnxport::passes
