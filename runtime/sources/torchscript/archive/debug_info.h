// The debug information of a source file: which line of the user's Python each piece of its text came from.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_DEBUG_INFO_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_DEBUG_INFO_H_

#include <string>
#include <string_view>

#include "runtime/sources/torchscript/archive/program.h"

namespace onnxport::torchscript {

// `pickle`: the record `code/*.py.debug_pkl`, in either of LibTorch's formats. Unknown parts are left out: the
// information is for messages only. Throws Error (kBadInput) that begins with `what` if it is no such pickle.
void ReadOrigins(std::string_view pickle, const std::string& what, SourceFile* file);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_DEBUG_INFO_H_
