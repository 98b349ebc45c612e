// Parses a pickle, without building the objects in it.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_UNPICKLER_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_UNPICKLER_H_

#include <string>
#include <string_view>

#include "runtime/sources/torchscript/archive/pickle.h"
#include "runtime/sources/torchscript/archive/pickled_tensors.h"

namespace onnxport::torchscript {

// Reads protocol 2, which LibTorch and torch.jit.save write. A pickle may only name the dozen functions that tensors,
// tagged lists, enums and devices need. They are known by name, and nothing is ever called. Instances of classes named
// `__torch__...` become Pickled::Object. Throws Error (kBadInput) that begins with `what` (file and record) for
// anything else, for a depth over kMaxPickleDepth, and for memo keys, lists and texts larger than the pickle itself.
PickledPtr Unpickle(std::string_view text, const std::string& what, const TensorReader& tensors);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_UNPICKLER_H_
