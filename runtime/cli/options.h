// What the words of the command line mean for the library.
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

// Fills `options` with the inputs and the deadline, which is counted from now; or says which text is wrong.
std::optional<Report> Complete(ExportArguments* arguments);

// All files that the command reads or writes, but for `--report` and `--html`, which are not to be one of these.
std::vector<std::string> OtherFiles(const ExportArguments& arguments);

}  // namespace onnxport::cli

#endif  // ONNXPORT_RUNTIME_CLI_OPTIONS_H_
