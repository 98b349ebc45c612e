// Decides which weights go into the model file or the data file, and where.
#ifndef ONNXPORT_RUNTIME_MODEL_SERIALIZER_LAYOUT_H_
#define ONNXPORT_RUNTIME_MODEL_SERIALIZER_LAYOUT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::serializer {

// Smaller weights stay in the model, where shape inference of other tools can read them.
inline constexpr int64_t kSmallestExternalBytes = 1024;
// Runtimes map the data file. So large tensors begin on a page, small ones on a cache line.
inline constexpr int64_t kLargeBytes = 64 << 10;
inline constexpr int64_t kLargeAlignment = 4096;
inline constexpr int64_t kSmallAlignment = 64;

struct Placement {
  bool external = false;
  int64_t offset = 0;  // in the data file, bytes
  int64_t length = 0;  // bytes
};

struct FileLayout {
  std::vector<Placement> placements;  // one per weight, in the order of Graph::weights
  std::vector<size_t> order;          // of external weights, in the data file; for tied ones only the first
  std::string data_head;              // the first bytes of the data file
  int64_t data_bytes = 0;             // size of the data file; 0: there is none
};

enum class DataFile {
  kNone,  // all weights are in the model
  kRaw,   // one after another in their order; gaps only for alignment
  // The safetensors format: parameters and buffers of any size, and constants that are not small. There are no gaps.
  // Weights with large elements come first, so that all are aligned. Weights without elements stay in the model, and so
  // do those with dtypes that the format lacks.
  kSafetensors,
};

// `names` are the weights' names in the model, in their order.
FileLayout MakeLayout(const std::vector<ir::Weight>& weights, const std::vector<std::string>& names, DataFile file);

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_MODEL_SERIALIZER_LAYOUT_H_
