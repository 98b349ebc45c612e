// Turns the words of the command line into options of the library.
#ifndef ONNXPORT_RUNTIME_CLI_OPTIONS_H_
#define ONNXPORT_RUNTIME_CLI_OPTIONS_H_

#include <optional>
#include <string>
#include <vector>

#include "onnxport/diagnostic.h"
#include "runtime/cli/commands.h"

namespace onnxport::cli {

// "a,b" -> {"a", "b"}
std::vector<std::string> SplitNames(const std::string& text);

// Fills `options` with the inputs and the deadline, which is counted from now. Returns an error that quotes a wrong
// text.
std::optional<Report> Complete(ExportArguments* arguments);

// All files that the command reads or writes, except `--report` and `--html`. Those two must not be one of these files.
std::vector<std::string> OtherFiles(const ExportArguments& arguments);

}  // namespace onnxport::cli

#endif  // ONNXPORT_RUNTIME_CLI_OPTIONS_H_
