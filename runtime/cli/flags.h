// The library's messages name what a program writes; the command's name flags.
#ifndef ONNXPORT_RUNTIME_CLI_FLAGS_H_
#define ONNXPORT_RUNTIME_CLI_FLAGS_H_

#include <string>
#include <string_view>

#include "onnxport/diagnostic.h"

namespace onnxport::cli {

// "ExportOptions::weights" becomes "--weights", `ParseInput("n=5")` becomes "--input 'n=5'".
std::string WithFlags(std::string_view message);
// The same of its headline and reasons.
Report WithFlags(const Report& report);

}  // namespace onnxport::cli

#endif  // ONNXPORT_RUNTIME_CLI_FLAGS_H_
