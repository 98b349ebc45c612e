// Reads the debug information of a source file: the line of the user's Python for each piece of its text.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_DEBUG_INFO_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_DEBUG_INFO_H_

#include <string>
#include <string_view>

#include "runtime/sources/torchscript/archive/program.h"

namespace onnxport::torchscript {

// `pickle` is the record `code/*.py.debug_pkl`, in either of LibTorch's formats. Unknown parts are left out, because
// the information is only used in messages. Throws Error (kBadInput) that begins with `what` if it is no such pickle.
void ReadOrigins(std::string_view pickle, const std::string& what, SourceFile* file);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_DEBUG_INFO_H_
