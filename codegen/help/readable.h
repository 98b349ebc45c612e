// Reads as much as possible of a spec file with mistakes.
#ifndef ONNXPORT_CODEGEN_HELP_READABLE_H_
#define ONNXPORT_CODEGEN_HELP_READABLE_H_

#include <optional>
#include <string>
#include <vector>

#include "codegen/help/lines.h"
#include "codegen/load/libraries.h"
#include "codegen/load/yaml.h"
#include "codegen/model/spec.h"

namespace onnxport::codegen {

// Leaves out items with mistakes. Returns nothing if no item can be read.
std::optional<SpecFile> LoadReadable(const std::string& path, const std::vector<Line>& lines,
                                     const Libraries& libraries);

// Reads one item as YAML. If that fails, it is read again without line number `line` (from 0), where the user is
// typing.
std::optional<YamlNode> ReadItem(const std::string& path, std::vector<Line> lines, const LineRange& item, size_t line);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_HELP_READABLE_H_
