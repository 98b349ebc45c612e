// The command line of `exporter verify`, which two programs read: `exporter`, to say what is wrong with it and what
// there is, and `exporter-verify`, which it starts with the same words.
#ifndef ONNXPORT_RUNTIME_CLI_VERIFY_OPTIONS_H_
#define ONNXPORT_RUNTIME_CLI_VERIFY_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace onnxport::cli {

struct VerifyArguments {
  std::string model;
  std::string against;
  std::string inputs;               // a file of NumPy; empty: random values
  std::vector<std::string> sizes;   // texts of `--sizes`
  std::vector<std::string> ranges;  // texts of `--range`
  std::vector<std::string> fixed;   // texts of `--input`
  std::vector<std::string> libraries;
  std::string program;      // exporter-verify; empty: it is looked for
  std::string onnxruntime;  // the library; empty: it is looked for
  std::string tests;        // a folder; empty: nothing is saved
  bool bisect = false;
  uint64_t seed = 0;
  std::optional<double> atol;
  std::optional<double> rtol;
};

// One of the two could not be run, and so not compared; beside the exit statuses of the other commands. Apart from 1,
// so that a script which checks models can tell "wrong" from "nothing is known".
inline constexpr int kNotCompared = 5;

void AddVerifyOptions(CLI::App* command, VerifyArguments* arguments);

}  // namespace onnxport::cli

#endif  // ONNXPORT_RUNTIME_CLI_VERIFY_OPTIONS_H_
