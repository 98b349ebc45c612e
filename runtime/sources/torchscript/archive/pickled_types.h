// Internal to Unpickle: the functions of torch.jit._pickle, which set the types of containers.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_PICKLED_TYPES_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_PICKLED_TYPES_H_

#include <string>

#include "runtime/sources/torchscript/archive/pickle.h"

namespace onnxport::torchscript {

// Returns "List[int]" for the call `torch.jit._pickle.build_intlist(...)`. Throws Refusal for an unknown function.
std::string PickledTypeOf(const std::string& function, const Pickled::Tuple& args);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_PICKLED_TYPES_H_
