// Takes a pickle apart, without building what it describes.
#ifndef ONNXPORT_RUNTIME_TORCHSCRIPT_ARCHIVE_UNPICKLER_H_
#define ONNXPORT_RUNTIME_TORCHSCRIPT_ARCHIVE_UNPICKLER_H_

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/torchscript/archive/pickle.h"

namespace onnxport::torchscript {

// Where a tensor's elements lie, as the pickle says.
struct StorageView {
  std::string storage;  // "FloatStorage"
  std::string key;      // "0": the record is FOLDER/0
  int64_t elements = 0;
  int64_t offset = 0;  // in elements, like the strides
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;
  ir::DType dtype = ir::DType::kUndefined;
};
using TensorReader = std::function<std::shared_ptr<const ir::TensorData>(const StorageView&)>;

// Protocol 2, what LibTorch and torch.jit.save write. The functions that a pickle may name are the dozen that tensors,
// tagged lists, enums and devices need; they are known by name and nothing is ever called. Classes named
// `__torch__...` become Pickled::Object.
// Throws Error (kBadInput) that begins with `what` (file and record) for anything else, for depth beyond
// kMaxPickleDepth, and for memo keys, lists and texts beyond the text's own size.
PickledPtr Unpickle(std::string_view text, const std::string& what, const TensorReader& tensors);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_TORCHSCRIPT_ARCHIVE_UNPICKLER_H_
