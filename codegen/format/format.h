// Writes a spec file in the one standard form. It has block style, at most 100 columns, only the quotes that YAML
// needs, and one test per line. The schemas of an entry's operators stand above it.
#ifndef ONNXPORT_CODEGEN_FORMAT_FORMAT_H_
#define ONNXPORT_CODEGEN_FORMAT_FORMAT_H_

#include <optional>
#include <string>

#include "codegen/source/diagnostics.h"

namespace onnxport::codegen {

// Returns the formatted text. It has the same comments and the same meaning. Returns nothing if the loader refuses the
// text, and reports its mistakes.
std::optional<std::string> FormatSpec(const std::string& path, const std::string& text, Diagnostics* diagnostics);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_FORMAT_FORMAT_H_
