// Formats the spec files of a workspace.
#ifndef ONNXPORT_CODEGEN_FORMAT_FORMAT_FILES_H_
#define ONNXPORT_CODEGEN_FORMAT_FORMAT_FILES_H_

#include <string>
#include <vector>

namespace onnxport::codegen {

// `paths` are relative to the workspace; none stands for all specs. With `check_only` nothing is written. Files that
// are not formatted, or cannot be, are reported on stderr. Returns whether all is well.
bool FormatFiles(const std::string& workspace, std::vector<std::string> paths, bool check_only);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_FORMAT_FORMAT_FILES_H_
