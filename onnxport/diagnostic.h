// Why an export did not succeed, as values; as text for people and as JSON for programs.
#ifndef ONNXPORT_DIAGNOSTIC_H_
#define ONNXPORT_DIAGNOSTIC_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "onnxport/codes.h"

namespace onnxport {

// A place in the user's program, as far as the file tells.
struct CallSite {
  std::string module = {};  // path of the module: "layer1.0.conv1"; empty: the root
  std::string file = {};    // of the source
  int line = 0;             // of the source, from 1; 0: unknown
  std::string code = {};    // the source line, trimmed
  // Of a C++ program, as far as the dynamic linker knows its names: "net::Block::forward, called by net::Net::forward".
  std::string function = {};
  std::string node = {};  // the call's own name in the archive: "conv2d_3"

  // "layer1.0  model.py:12  x = torch.roll(x, 1, 4)" or "layer1.0  in net::Block::forward", without what is unknown;
  // the node where nothing else is known.
  std::string Text() const;
};

// One thing that is wrong. Calls of one operator that fail for one reason are one diagnostic.
struct Diagnostic {
  Code code = Code::kUnsupportedProgram;
  std::string op = {};                    // with its overload: "aten::add.Tensor"; empty: not about a call
  int calls = 0;                          // how many calls fail so; 0: not about a call
  std::string reason = {};                // what was seen and what would work; lower case, no full stop; one line
  std::vector<std::string> options = {};  // that the reason speaks of: names of members of ExportOptions
  int opset = 0;          // the lowest later opset that can express all of the calls; 0: none, or not about an opset
  std::string spec = {};  // the entry that says how the operator is exported: "spec/aten/shape.yaml:31"; may be empty
  std::vector<CallSite> sites = {};  // each place once, in the program's order
};

// Something that the caller should look at, though there is a model. Lines after the first one are details.
struct Warning {
  Code code = Code::kOtherSizes;
  std::string text = {};
};

// What a front end calls an option: `key` is the name of the member of ExportOptions, `value` is empty or what would be
// given to it. The command makes "--weights-as int4" of "weights_as" and "int4".
using OptionName = std::string (*)(std::string_view key, std::string_view value);
std::string OptionInCpp(std::string_view key, std::string_view value);  // "ExportOptions::weights_as: \"int4\""
// As JSON, Python and JavaScript write it: "`weights_as`: \"int4\"".
std::string OptionAsKey(std::string_view key, std::string_view value);

// All that was found wrong. Reasons name options as C++ does: "ExportOptions::weights".
class Report {
 public:
  // `headline`: what a list of diagnostics is about; empty where each speaks for itself.
  Report(ErrorKind kind, std::vector<Diagnostic> diagnostics, std::string headline = {});
  // One diagnostic with that code; with the general one of that kind.
  Report(Code code, const std::string& reason);
  Report(ErrorKind kind, const std::string& reason);

  ErrorKind kind() const { return kind_; }
  const std::string& headline() const { return headline_; }
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

  // The same report with the reason of each diagnostic, or the headline, behind `where`: "model.pt2: ".
  Report Behind(const std::string& where) const;
  // The same report, whose texts name options as `name` does.
  Report With(OptionName name) const;

  // For people, without a newline at the end:
  //   the model cannot be exported at opset 9:
  //     aten::roll (3 calls): axis 4 is outside a rank of 2
  //         opset 11 can express it
  //         layer1.0  model.py:12  x = torch.roll(x, 1, 4)
  // At most five places of each diagnostic. What comes from the file is in a form that can be shown (text.h), and so
  // has no lines of its own.
  std::string Text() const;
  // The same with codes, as the command shows it: each diagnostic without a headline is "error[E0104]: ..." on a line of
  // its own, and those under "error: HEADLINE:" begin with "[E0104] ".
  std::string TextWithCodes() const;

  // For programs, in one line, UTF-8 (what is not, is replaced); keys of what is unknown are left out:
  //   {"kind": "cannot_export", "headline": "...", "diagnostics": [
  //     {"code": "E0209", "op": "aten::roll", "calls": 3, "reason": "...", "options": [...], "opset": 11,
  //      "spec": "spec/aten/shape.yaml:31",
  //      "sites": [{"module": "layer1.0", "file": "model.py", "line": 12, "code": "...", "node": "roll_2"}]}]}
  // The sites of a C++ program have "function" instead of "file", "line" and "code". Reasons name options as JSON does:
  // "`weights`".
  std::string Json() const;

  // Internal: reasons and headline with marks for options (runtime/base/option_names.h).
  const std::vector<Diagnostic>& marked() const { return marked_; }
  const std::string& marked_headline() const { return marked_headline_; }

 private:
  ErrorKind kind_;
  std::vector<Diagnostic> marked_;
  std::string marked_headline_;
  std::vector<Diagnostic> diagnostics_;
  std::string headline_;
};

}  // namespace onnxport

#endif  // ONNXPORT_DIAGNOSTIC_H_
