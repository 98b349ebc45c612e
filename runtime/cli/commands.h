// What the commands of `exporter` do, once their arguments are read.
#ifndef ONNXPORT_RUNTIME_CLI_COMMANDS_H_
#define ONNXPORT_RUNTIME_CLI_COMMANDS_H_

#include <optional>
#include <string>
#include <vector>

#include "onnxport/export.h"
#include "runtime/cli/verify_options.h"

namespace onnxport::cli {

struct ExportArguments {
  std::string model;
  std::string out;                   // empty: the model's name with `.onnx`, in the working folder
  std::vector<std::string> domains;  // texts of `--domain`
  std::vector<std::string> traces;   // files of `--and`
  std::optional<std::string> weights;
  std::vector<std::string> functions;  // texts of `--functions`: CLASS,... or `*`
  std::vector<std::string> sizes;      // texts of `--sizes`: of the model, then of each of `traces`
  ExportOptions options;
  SaveOptions saving;
  std::vector<Diagnostic> mistakes;  // values that are none
  std::string html;                  // of `inspect`: the file that a page goes to; empty: text goes to stdout
  std::string report;                // a file for the record of the export; empty: none
  bool verbose = false;
  bool check_axes = false;     // tell which axes can be free, and write nothing
  bool axes_as_json = false;   // with check_axes
  unsigned max_seconds = 300;  // for reading and converting; 0: no limit
};

struct ApplyWeightsArguments {
  std::string model;
  std::string weights;
  std::string out;  // empty: the model itself
  SaveOptions saving;
  std::vector<Diagnostic> mistakes;
};

// Each prints to stdout what was asked for, says on stderr what fails, and returns the exit status.

// `exporter export`: remarks, and with `verbose` figures and times, go to stderr.
int RunExport(ExportArguments arguments);

// `exporter apply-weights`: what was done goes to stderr.
int RunApplyWeights(ApplyWeightsArguments arguments);

// `exporter inspect`: the model as text; an `.onnx` file with the types of all values and without the bytes of its
// weights, or as a page of HTML. Of a TorchScript file the
// calls that are made, when its inputs are known (from `options` or from the file), and its code when they are not.
int RunInspect(ExportArguments arguments);

struct CheckArguments {
  std::string model;
  unsigned max_seconds = 300;  // 0: no limit
};

// `exporter check`
int RunCheck(const CheckArguments& arguments);

struct IndexArguments {
  std::vector<std::string> reports;  // `@FILE`: those that the file names, one a line
  std::string root;                  // a folder: names of models are paths below it
  std::string json;                  // the file that the table goes to; empty: none
  std::string html;
  std::string title = "Exported models";
  bool all_exported = false;  // one that was refused is a failure
};

// `exporter index`
int RunIndex(const IndexArguments& arguments);

struct OpsArguments {
  std::string name;  // `aten::add.Tensor`, `aten::add`, `add`: all of its overloads when it has no dot; empty: all
  std::optional<int> opset;
  bool kept = false;  // what --keep may name, in place of what can be exported
  bool json = false;
};

// `exporter ops`: the support table. An unknown name is a mistake of usage; the message gives the nearest ones.
int RunOps(const OpsArguments& arguments);

// `exporter targets`
int RunTargets(bool json);

// `exporter options`
int RunOptions(bool json);

// `exporter explain`: what the code says, "E0104"; empty: the titles of all.
int RunExplain(const std::string& number, bool json);

// `exporter verify`: runs the program that compares, with these words of the command line, from `verify` on and with a
// null at their end.
int RunVerify(const VerifyArguments& arguments, char** words);

// `exporter --version`
std::string VersionText();

}  // namespace onnxport::cli

#endif  // ONNXPORT_RUNTIME_CLI_COMMANDS_H_
