// Which weights go into the model file and which into the data file beside it, and where.
#ifndef ONNXPORT_RUNTIME_MODEL_SERIALIZER_LAYOUT_H_
#define ONNXPORT_RUNTIME_MODEL_SERIALIZER_LAYOUT_H_

#include <cstddef>
#include <cstdint>
#include <string>
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

struct FileLayout {
  std::vector<Placement> placements;  // one per weight, in the order of Graph::weights
  std::vector<size_t> order;          // of those that are external, in the data file; of tied ones the first
  std::string data_head;              // what the data file begins with
  int64_t data_bytes = 0;             // size of the data file; 0: there is none
};

enum class DataFile {
  kNone,  // all weights are in the model
  kRaw,   // one after another in their order; gaps are only what the alignment needs
  // The safetensors format: parameters and buffers whatever their size, and constants that are not small. There are no
  // gaps; weights with large elements come first, so that each is aligned to its elements. Weights without elements
  // stay in the model, as do those of dtypes that the format lacks.
  kSafetensors,
};

// `names` of the weights, in their order, are those that the model has for them.
FileLayout MakeLayout(const std::vector<ir::Weight>& weights, const std::vector<std::string>& names, DataFile file);

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_MODEL_SERIALIZER_LAYOUT_H_
