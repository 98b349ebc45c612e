// Declares the function of each command of `exporter`, and its arguments.
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
  std::vector<Diagnostic> mistakes;  // option values that cannot be parsed
  std::string html;                  // `inspect`: the file for the HTML page; empty: print text to stdout
  std::string report;                // a file for the record of the export; empty: none
  bool verbose = false;
  bool quiet = false;          // no line on a terminal about an export that works
  bool check_axes = false;     // print which axes can be free, and write nothing
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

// Each prints its result to stdout and failures to stderr, and returns the exit status.

// `exporter export`: remarks go to stderr, and so do figures and times with `verbose`. On a terminal a line says what
// was written.
int RunExport(ExportArguments arguments);

// `exporter apply-weights`: remarks go to stderr.
int RunApplyWeights(ApplyWeightsArguments arguments);

// `exporter inspect`: prints the model as text. An `.onnx` file is printed with the types of all values and without the
// bytes of its weights, or written as a page of HTML. A TorchScript file is printed as its calls if its inputs are
// known (from `options` or from the file), else as its code.
int RunInspect(ExportArguments arguments);

struct CheckArguments {
  std::string model;
  unsigned max_seconds = 300;  // 0: no limit
};

// `exporter check`
int RunCheck(const CheckArguments& arguments);

struct IndexArguments {
  std::vector<std::string> reports;  // `@FILE` stands for the reports that FILE lists, one a line
  std::string root;                  // a folder: names of models are paths below it
  std::string json;                  // the file for the table; empty: none
  std::string html;
  std::string title = "Exported models";
  bool all_exported = false;  // a refused model is a failure
};

// `exporter index`
int RunIndex(const IndexArguments& arguments);

struct OpsArguments {
  std::string name;  // `aten::add.Tensor`, or `aten::add` or `add` for all overloads; empty: all operators
  std::optional<int> opset;
  bool kept = false;  // list the operators for --keep instead
  bool json = false;
};

// `exporter ops`: the support table. An unknown name is a mistake of usage; the message gives the nearest ones.
int RunOps(const OpsArguments& arguments);

// `exporter targets`
int RunTargets(bool json);

// `exporter options`
int RunOptions(bool json);

// `exporter explain`: prints the explanation of a code, "E0104"; empty: the titles of all codes.
int RunExplain(const std::string& number, bool json);

// `exporter verify`: runs the program that compares. It gets `words`, the words of the command line from `verify` on,
// with a null at their end.
int RunVerify(const VerifyArguments& arguments, char** words);

// `exporter --version`
std::string VersionText();

}  // namespace onnxport::cli

#endif  // ONNXPORT_RUNTIME_CLI_COMMANDS_H_
