#include "runtime/serializer/layout.h"

#include "runtime/serializer/tensor_proto.h"

namespace onnxport::serializer {

Layout MakeLayout(const std::vector<ir::Weight>& weights, bool external) {
  Layout layout;
  for (const ir::Weight& weight : weights) {
    Placement placement = {.length = ByteCount(*weight.data)};
    if (external && placement.length >= kSmallestExternalBytes) {
      const int64_t alignment = placement.length >= kLargeBytes ? kLargeAlignment : kSmallAlignment;
      placement.external = true;
      placement.offset = (layout.data_bytes + alignment - 1) / alignment * alignment;
      layout.data_bytes = placement.offset + placement.length;
    }
    layout.placements.push_back(placement);
  }
  return layout;
}

}  // namespace onnxport::serializer
