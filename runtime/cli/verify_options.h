// The command line of `exporter verify`. Two programs parse it: `exporter`, which reports errors and shows the help,
// and `exporter-verify`, which `exporter` starts with the same words.
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
  std::string program;      // the path of exporter-verify; empty: it is searched
  std::string onnxruntime;  // the path of the library; empty: it is searched
  std::string tests;        // a folder; empty: nothing is saved
  bool bisect = false;
  uint64_t seed = 0;
  std::optional<double> atol;
  std::optional<double> rtol;
};

// The program or the model could not be run, so there was no comparison. It differs from 1, so that a script can
// distinguish "wrong" from "not compared".
inline constexpr int kNotCompared = 5;

void AddVerifyOptions(CLI::App* command, VerifyArguments* arguments);

}  // namespace onnxport::cli

#endif  // ONNXPORT_RUNTIME_CLI_VERIFY_OPTIONS_H_
