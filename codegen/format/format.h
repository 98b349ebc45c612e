// Writes a spec file in the one standard form. It has block style, at most 100 columns, only the quotes that YAML
// needs, and one test per line. The schemas of an entry's operators stand above it.
#ifndef ONNXPORT_CODEGEN_FORMAT_FORMAT_H_
#define ONNXPORT_CODEGEN_FORMAT_FORMAT_H_

#include <optional>
#include <string>

#include "codegen/source/diagnostics.h"

namespace onnxport::codegen {

// The text, formatted. It says what it said before: comments are kept, and what the loader makes of it is the same.
// Nothing is returned for a text that the loader does not read; its mistakes are reported.
std::optional<std::string> FormatSpec(const std::string& path, const std::string& text, Diagnostics* diagnostics);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_FORMAT_FORMAT_H_
