// The commands of the generator for who writes a spec.
#ifndef ONNXPORT_CODEGEN_HELP_COMMANDS_H_
#define ONNXPORT_CODEGEN_HELP_COMMANDS_H_

#include <optional>
#include <string>

namespace onnxport::codegen {

struct HelpOptions {
  std::string workspace;     // with spec/lib and spec/domains
  std::string aten_schemas;  // of operators that the user adds to PyTorch's; empty: none

  // The question of this run; empty for most runs. Places are "FILE:LINE:COLUMN".
  std::string explain;   // what stands there
  std::string complete;  // what may: one name a line, and behind a tab what it is
  std::string watch;    // a folder: check each spec in it when it is saved, and say what is wrong. Never ends by itself
  bool schema = false;  // the JSON schema
};

// The exit status, 1 where there is nothing to say; nothing when nothing is asked for. Relative paths begin where the
// user stands, which under `bazel run` is not where the process does. It declares what the file in question needs:
// nothing may be declared before.
std::optional<int> RunHelp(const HelpOptions& options);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_HELP_COMMANDS_H_
