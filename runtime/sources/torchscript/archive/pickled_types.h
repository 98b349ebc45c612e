// Internal to Unpickle: the functions of torch.jit._pickle, which give containers their types.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_PICKLED_TYPES_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_PICKLED_TYPES_H_

#include <string>

#include "runtime/sources/torchscript/archive/pickle.h"

namespace onnxport::torchscript {

// "List[int]" of the call `torch.jit._pickle.build_intlist(...)`. Throws Refusal for a function that is none of
// them.
std::string PickledTypeOf(const std::string& function, const Pickled::Tuple& args);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_PICKLED_TYPES_H_
