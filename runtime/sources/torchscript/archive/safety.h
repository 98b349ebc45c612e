// Code of an archive that loading it would run.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_SAFETY_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_SAFETY_H_

#include <string>
#include <vector>

#include "runtime/sources/torchscript/archive/program.h"

namespace onnxport::torchscript {

// One sentence with its place for each finding; empty for a harmless archive.
//
// Found are operators that touch files (aten::from_file, aten::save ...) anywhere, and `__setstate__` methods which do
// more than move data and pack quantized weights, the functions that they call included.
std::vector<std::string> FindDangers(const Program& program);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_SAFETY_H_
