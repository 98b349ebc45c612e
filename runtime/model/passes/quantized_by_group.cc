#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "runtime/ir/packed_dtype.h"
#include "runtime/model/passes/float_blocks.h"
#include "runtime/model/passes/not_quantizable.h"
#include "runtime/model/passes/quantized_numbers.h"
#include "runtime/model/passes/quantized_tensor.h"

namespace onnxport::passes {
namespace {

using ir::ByteSink;

constexpr float kInt4Steps = 7;    // to either side of 0
constexpr float kUInt4Steps = 15;  // from the least number to the largest

// A tensor of shape [outer, axis, inner] is read in tiles of up to `group` rows of `inner` elements: of each column of
// a tile, which is a group, the elements become one scale's. Tiles follow each other as the scales do.
struct TiledSource {
  TiledSource(std::shared_ptr<const ir::TensorData> tensor, const Grouping& grouping, std::string tensor_name)
      : source(std::move(tensor)),
        group(grouping.group),
        asymmetric(grouping.asymmetric),
        name(std::move(tensor_name)) {
    axis = source->shape[grouping.axis];
    for (size_t i = grouping.axis + 1; i < source->shape.size(); ++i) inner *= source->shape[i];
    group = std::min(group, std::max<int64_t>(axis, 1));
  }

  // Calls `visit` with the rows of each tile, one behind another.
  void ForEachTile(const std::function<void(std::span<const float> tile)>& visit) const {
    std::vector<float> tile(static_cast<size_t>(group * inner));
    size_t filled = 0;
    int64_t row = 0;  // at which the tile begins
    const auto wanted = [&] { return static_cast<size_t>(std::min(group, axis - row) * inner); };
    ForEachFloatBlock(*source, [&](std::span<const float> block) {
      while (!block.empty()) {
        const size_t count = std::min(wanted() - filled, block.size());
        std::ranges::copy(block.first(count), tile.begin() + static_cast<ptrdiff_t>(filled));
        block = block.subspan(count);
        filled += count;
        if (filled < wanted()) return;
        visit(std::span<const float>(tile).first(filled));
        row = row + group < axis ? row + group : 0;
        filled = 0;
      }
    });
  }

  std::shared_ptr<const ir::TensorData> source;
  int64_t axis = 0;
  int64_t inner = 1;
  int64_t group;
  bool asymmetric;
  std::string name;
};

// What a tile's groups are quantized with.
class TileScales {
 public:
  explicit TileScales(const TiledSource& tiles)
      : tiles_(tiles), least_(static_cast<size_t>(tiles.inner)), largest_(least_.size()) {}

  void Read(std::span<const float> tile) {
    LargestOf(tile, tiles_.name);  // or an error
    std::ranges::fill(least_, 0.0F);
    std::ranges::fill(largest_, 0.0F);
    for (size_t i = 0; i < tile.size(); i += least_.size()) {
      for (size_t j = 0; j < least_.size(); ++j) {
        least_[j] = std::min(least_[j], tile[i + j]);
        largest_[j] = std::max(largest_[j], tile[i + j]);
      }
    }
    for (size_t j = 0; j < least_.size(); ++j) {
      const float scale = tiles_.asymmetric ? ScaleOf(largest_[j] - least_[j], kUInt4Steps)
                                            : ScaleOf(std::max(largest_[j], -least_[j]), kInt4Steps);
      // The largest is not needed any more.
      least_[j] = tiles_.asymmetric ? static_cast<float>(std::clamp(ToNearest(-least_[j] / scale), 0, 15)) : 0;
      largest_[j] = scale;
    }
  }
  const std::vector<float>& scales() const { return largest_; }
  const std::vector<float>& zero_points() const { return least_; }

 private:
  const TiledSource& tiles_;
  std::vector<float> least_;
  std::vector<float> largest_;
};

// Puts two elements into a byte.
class Packer {
 public:
  explicit Packer(const ByteSink& sink) : sink_(sink) { bytes_.reserve(kBlockElements); }

  void Add(int32_t element) {
    const auto bits = static_cast<uint8_t>(element & 15);
    half_ = !half_;
    if (half_) {
      bytes_.push_back(bits);
    } else {
      bytes_.back() |= static_cast<uint8_t>(bits << 4);
      if (bytes_.size() == kBlockElements) Flush();
    }
  }
  // Also after the last one.
  void Flush() {
    if (!bytes_.empty()) sink_(std::as_bytes(std::span(bytes_)));
    bytes_.clear();
  }

 private:
  const ByteSink& sink_;
  std::vector<uint8_t> bytes_;
  bool half_ = false;  // the last byte has one element
};

enum class Part { kElements, kScales, kZeroPoints };

class GroupPartBytes : public ir::TensorBytes {
 public:
  GroupPartBytes(std::shared_ptr<const TiledSource> tiles, Part part) : tiles_(std::move(tiles)), part_(part) {}

  void Stream(const ByteSink& sink) const override {
    TileScales scales(*tiles_);
    Packer packer(sink);
    tiles_->ForEachTile([&](std::span<const float> tile) {
      scales.Read(tile);
      if (part_ == Part::kScales) return sink(std::as_bytes(std::span(scales.scales())));
      if (part_ == Part::kElements) return AddElements(tile, scales, &packer);
      for (const float zero : scales.zero_points()) packer.Add(static_cast<int32_t>(zero));
    });
    packer.Flush();
  }

 private:
  void AddElements(std::span<const float> tile, const TileScales& scales, Packer* packer) const {
    const int32_t least = tiles_->asymmetric ? 0 : -7;
    const int32_t largest = tiles_->asymmetric ? 15 : 7;
    const size_t inner = scales.scales().size();
    for (size_t i = 0; i < tile.size(); i += inner) {
      for (size_t j = 0; j < inner; ++j) {
        const int32_t steps = ToNearest(tile[i + j] / scales.scales()[j]);
        packer->Add(std::clamp(steps + static_cast<int32_t>(scales.zero_points()[j]), least, largest));
      }
    }
  }

  std::shared_ptr<const TiledSource> tiles_;
  Part part_;
};

}  // namespace

QuantizedTensor QuantizedByGroup(std::shared_ptr<const ir::TensorData> source, const Grouping& grouping,
                                 std::string name) {
  std::vector<int64_t> shape = source->shape;
  const auto tiles = std::make_shared<TiledSource>(std::move(source), grouping, std::move(name));
  const auto tensor = [&](ir::DType dtype, Part part) {
    return std::make_shared<ir::TensorData>(
        ir::TensorData{dtype, shape, std::make_shared<GroupPartBytes>(tiles, part)});
  };
  const ir::DType stored = grouping.asymmetric ? ir::kUInt4 : ir::kInt4;
  QuantizedTensor made = {.elements = tensor(stored, Part::kElements), .scales = nullptr, .zero_points = nullptr};
  int64_t& groups = shape[grouping.axis];
  groups = (groups + grouping.group - 1) / grouping.group;
  made.scales = tensor(ir::DType::kFloat32, Part::kScales);
  if (grouping.asymmetric) made.zero_points = tensor(stored, Part::kZeroPoints);
  return made;
}

int64_t GroupBytes(const ir::TensorData& source, const Grouping& grouping) {
  int64_t rows = std::min(grouping.group, source.shape[grouping.axis]);
  for (size_t i = grouping.axis + 1; i < source.shape.size(); ++i) rows *= source.shape[i];
  return rows * static_cast<int64_t>(sizeof(float));
}

}  // namespace onnxport::passes
