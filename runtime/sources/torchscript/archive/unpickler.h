// Takes a pickle apart, without building what it describes.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_UNPICKLER_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_UNPICKLER_H_

#include <string>
#include <string_view>

#include "runtime/sources/torchscript/archive/pickle.h"
#include "runtime/sources/torchscript/archive/pickled_tensors.h"

namespace onnxport::torchscript {

// Protocol 2, what LibTorch and torch.jit.save write. The functions that a pickle may name are the dozen that tensors,
// tagged lists, enums and devices need; they are known by name and nothing is ever called. Classes named
// `__torch__...` become Pickled::Object.
// Throws Error (kBadInput) that begins with `what` (file and record) for anything else, for depth beyond
// kMaxPickleDepth, and for memo keys, lists and texts beyond the text's own size.
PickledPtr Unpickle(std::string_view text, const std::string& what, const TensorReader& tensors);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_UNPICKLER_H_
