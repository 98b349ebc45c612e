// Divides a tensor of floats into groups with a scale each.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_GROUP_TILES_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_GROUP_TILES_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/model/passes/quantize/quantized_tensor.h"
#include "runtime/model/passes/quantize/weight_types.h"

namespace onnxport::passes {

// A tensor of shape [outer, axis, inner] is read in tiles of up to `group` rows of `inner` elements. Each column of a
// tile is a group with one scale. Tiles have the order of the scales.
class GroupTiles {
 public:
  GroupTiles(std::shared_ptr<const ir::TensorData> source, const Grouping& grouping, std::string name);

  // Calls `visit` with the rows of each tile, one after another. Throws Error for a number without a valid scale.
  void ForEach(const std::function<void(std::span<const float> tile)>& visit) const;

  size_t columns() const { return static_cast<size_t>(inner_); }
  WeightType type() const { return type_; }
  const StoredNumbers& numbers() const { return numbers_; }
  const std::string& name() const { return name_; }
  // max |w| of the tensor. It is read on first use, perhaps by two threads that write.
  float Largest() const;

 private:
  std::shared_ptr<const ir::TensorData> source_;
  int64_t axis_ = 0;
  int64_t inner_ = 1;
  int64_t group_;
  WeightType type_;
  StoredNumbers numbers_;
  std::string name_;
  mutable std::mutex mutex_;
  mutable std::optional<float> largest_;
};

// The scales and zero points of a tile's groups.
class GroupScales {
 public:
  explicit GroupScales(const GroupTiles& tiles);

  void Read(std::span<const float> tile);

  // The factors, one for each column.
  const std::vector<float>& scales() const { return largest_; }
  const std::vector<float>& zero_points() const { return least_; }
  // nvfp4: the scale of the tensor, and the groups' scales as bits, relative to it.
  float tensor_scale() const { return tensor_scale_; }
  const std::vector<uint8_t>& bits() const { return bits_; }

 private:
  float ScaleOfColumn(size_t column);

  const GroupTiles& tiles_;
  float tensor_scale_ = 1;
  std::vector<float> least_;
  std::vector<float> largest_;
  std::vector<uint8_t> bits_;
};

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_QUANTIZE_GROUP_TILES_H_
