#include "runtime/model/serializer/layout.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "runtime/model/serializer/safetensors_head.h"
#include "runtime/model/serializer/tensor_proto.h"

namespace onnxport::serializer {
namespace {

int64_t RoundedUp(int64_t offset, int64_t alignment) { return (offset + alignment - 1) / alignment * alignment; }

void PlaceRaw(const std::vector<ir::Weight>& weights, FileLayout* layout) {
  std::map<const ir::TensorBytes*, size_t> placed;
  for (size_t i = 0; i < layout->placements.size(); ++i) {
    Placement& placement = layout->placements[i];
    // Shapes and axes are small; a tool that infers shapes needs them without opening a second file.
    if (placement.length < kSmallestExternalBytes) continue;
    placement.external = true;
    // Tied weights are one object, and lie in one place.
    const auto [first, is_new] = placed.try_emplace(weights[i].data->bytes.get(), i);
    if (!is_new && layout->placements[first->second].length == placement.length) {
      placement.offset = layout->placements[first->second].offset;
      continue;
    }
    const int64_t alignment = placement.length >= kLargeBytes ? kLargeAlignment : kSmallAlignment;
    placement.offset = RoundedUp(layout->data_bytes, alignment);
    layout->data_bytes = placement.offset + placement.length;
    layout->order.push_back(i);
  }
}

void PlaceAsSafetensors(const std::vector<ir::Weight>& weights, const std::vector<std::string>& names,
                        FileLayout* layout) {
  for (size_t i = 0; i < weights.size(); ++i) {
    const Placement& placement = layout->placements[i];
    const bool wanted = !weights[i].constant || placement.length >= kSmallestExternalBytes;
    if (wanted && placement.length > 0 && HasSafetensorsName(weights[i].data->dtype)) layout->order.push_back(i);
  }
  // 8 bytes, then 4, 2, 1: the head is a multiple of 64 bytes, so without any gap each tensor begins at a multiple of
  // its own element. Stable, so that the order within one size is that of the model.
  std::ranges::stable_sort(layout->order, std::greater<>(),
                           [&](size_t i) { return ir::ByteSize(weights[i].data->dtype); });
  if (layout->order.empty()) return;
  SafetensorsHead head;
  for (const size_t i : layout->order) head.Add(names[i], *weights[i].data, layout->placements[i].length);
  layout->data_head = std::move(head).Text();
  layout->data_bytes = static_cast<int64_t>(layout->data_head.size());
  for (const size_t i : layout->order) {
    Placement& placement = layout->placements[i];
    placement.external = true;
    placement.offset = layout->data_bytes;
    layout->data_bytes += placement.length;
  }
}

}  // namespace

FileLayout MakeLayout(const std::vector<ir::Weight>& weights, const std::vector<std::string>& names, DataFile file) {
  FileLayout layout;
  for (const ir::Weight& weight : weights) layout.placements.push_back({.length = ByteCount(*weight.data)});
  if (file == DataFile::kRaw) PlaceRaw(weights, &layout);
  if (file == DataFile::kSafetensors) PlaceAsSafetensors(weights, names, &layout);
  return layout;
}

}  // namespace onnxport::serializer
