// A spec file with mistakes, as far as it can be read.
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

// Without the items that have mistakes; nothing when there are none.
std::optional<SpecFile> LoadReadable(const std::string& path, const std::vector<Line>& lines,
                                     const Libraries& libraries);

// One item as YAML. Where it is none, without the line that is being written (from 0).
std::optional<YamlNode> ReadItem(const std::string& path, std::vector<Line> lines, const LineRange& item, size_t line);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_HELP_READABLE_H_
