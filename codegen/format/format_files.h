// Formats the spec files of a workspace.
#ifndef ONNXPORT_CODEGEN_FORMAT_FORMAT_FILES_H_
#define ONNXPORT_CODEGEN_FORMAT_FORMAT_FILES_H_

#include <string>
#include <vector>

namespace onnxport::codegen {

// `paths` are relative to the workspace; an empty list means all specs. With `check_only` nothing is written. Prints on
// stderr which files are not formatted, or cannot be. Returns true if there are none.
bool FormatFiles(const std::string& workspace, std::vector<std::string> paths, bool check_only);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_FORMAT_FORMAT_FILES_H_
