// Files that the command writes beside models.
#ifndef ONNXPORT_RUNTIME_CLI_TEXT_FILE_H_
#define ONNXPORT_RUNTIME_CLI_TEXT_FILE_H_

#include <optional>
#include <string>

#include "onnxport/diagnostic.h"

namespace onnxport::cli {

// In the place of what was there. kCannotWrite, or nothing.
std::optional<Report> WriteText(const std::string& path, const std::string& text);

}  // namespace onnxport::cli

#endif  // ONNXPORT_RUNTIME_CLI_TEXT_FILE_H_
