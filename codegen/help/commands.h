// Commands of the generator for authors of specs.
#ifndef ONNXPORT_CODEGEN_HELP_COMMANDS_H_
#define ONNXPORT_CODEGEN_HELP_COMMANDS_H_

#include <optional>
#include <string>

namespace onnxport::codegen {

struct HelpOptions {
  std::string workspace;     // with spec/lib and spec/domains
  std::string aten_schemas;  // of operators that the user adds to PyTorch's; empty: none

  // The question to answer; empty for most runs. Places are "FILE:LINE:COLUMN".
  std::string explain;   // explain the name at this place
  std::string complete;  // list the names that may stand here: one a line, with a tab and its description
  std::string watch;     // a folder: check each spec in it when it is saved. Never ends
  bool schema = false;   // the JSON schema
};

// Returns the exit status, 1 if there is no answer; returns nothing if there is no question. Relative paths begin in
// the user's folder, which is not the process's own under `bazel run`. It declares the operators that the file needs,
// so nothing may be declared before.
std::optional<int> RunHelp(const HelpOptions& options);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_HELP_COMMANDS_H_
