// Finds code of an archive that would run when it is loaded.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_SAFETY_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_SAFETY_H_

#include <string>
#include <vector>

#include "runtime/sources/torchscript/archive/program.h"

namespace onnxport::torchscript {

// Returns one sentence with its place for each finding; empty for a harmless archive.
//
// It finds operators that access files (aten::from_file, aten::save ...) anywhere. It also finds `__setstate__` methods
// that do more than move data and pack quantized weights, including the functions that they call.
std::vector<std::string> FindDangers(const Program& program);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_SAFETY_H_
