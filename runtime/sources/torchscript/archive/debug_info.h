// The debug information of a source file: which line of the user's Python each piece of its text came from.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_DEBUG_INFO_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_DEBUG_INFO_H_

#include "runtime/sources/torchscript/archive/pickle.h"
#include "runtime/sources/torchscript/archive/program.h"

namespace onnxport::torchscript {

// `debug`: the unpickled `code/*.py.debug_pkl`, in either of LibTorch's formats. What is not understood is left out:
// the information is for messages only.
void ReadOrigins(const Pickled& debug, SourceFile* file);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_DEBUG_INFO_H_
