// Which weights go into the model file and which into the data file beside it.
#ifndef ONNXPORT_RUNTIME_SERIALIZER_LAYOUT_H_
#define ONNXPORT_RUNTIME_SERIALIZER_LAYOUT_H_

#include <cstdint>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::serializer {

// Weights smaller than this stay in the model, where shape inference of other tools can read them.
inline constexpr int64_t kSmallestExternalBytes = 1024;
// Runtimes map the data file: large tensors begin on a page, small ones on a cache line.
inline constexpr int64_t kLargeBytes = 64 << 10;
inline constexpr int64_t kLargeAlignment = 4096;
inline constexpr int64_t kSmallAlignment = 64;

struct Placement {
  bool external = false;
  int64_t offset = 0;  // in the data file, bytes
  int64_t length = 0;  // bytes
};

struct Layout {
  std::vector<Placement> placements;  // one per weight, in the order of Graph::weights
  int64_t data_bytes = 0;             // size of the data file; 0: there is none
};

// Offsets grow in the order of the weights; gaps are only what the alignment needs.
Layout MakeLayout(const std::vector<ir::Weight>& weights, bool external);

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_SERIALIZER_LAYOUT_H_
