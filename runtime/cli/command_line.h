// The commands of `exporter` and their options. The command line is parsed with them, and the manual pages and
// completions are made from them.
#ifndef ONNXPORT_RUNTIME_CLI_COMMAND_LINE_H_
#define ONNXPORT_RUNTIME_CLI_COMMAND_LINE_H_

#include <CLI/CLI.hpp>
#include <string>

#include "runtime/cli/commands.h"
#include "runtime/cli/options.h"
#include "runtime/cli/verify_options.h"

namespace onnxport::cli {

// Parsing runs the command. The options write into this object, so it stays where it is.
struct CommandLine {
  // `words` are the words after the program's name, for the command that passes them on.
  explicit CommandLine(char** words);
  // One set of arguments for each command, though only one command runs: CLI11 binds options to variables when it is
  // set up.
  CommandLine(const CommandLine&) = delete;

  CLI::App app;
  int status = 0;  // the exit status of the command that ran

 private:
  ExportArguments exported_;
  ApplyWeightsArguments applied_;
  ExportArguments inspected_;
  VerifyArguments verified_;
  OpsArguments listed_;
  CheckArguments checked_;
  IndexArguments indexed_;
  bool targets_as_json_ = false;
  bool options_as_json_ = false;
  std::string explained_;
  bool codes_as_json_ = false;
};

}  // namespace onnxport::cli

#endif  // ONNXPORT_RUNTIME_CLI_COMMAND_LINE_H_
