// Says why an export failed: as values, as text for people, and as JSON for programs.
#ifndef ONNXPORT_DIAGNOSTIC_H_
#define ONNXPORT_DIAGNOSTIC_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "onnxport/codes.h"

namespace onnxport {

// A place in the user's program. Fields that the file does not tell are empty.
struct CallSite {
  std::string module = {};  // path of the module: "layer1.0.conv1"; empty: the root
  std::string file = {};    // the source file
  int line = 0;             // the source line, from 1; 0: unknown
  std::string code = {};    // the text of the source line, trimmed
  // The functions of a C++ program, if the dynamic linker knows their names: "net::Block::forward, called by
  // net::Net::forward".
  std::string function = {};
  std::string node = {};  // the call's own name in the archive: "conv2d_3"

  // Returns "layer1.0  model.py:12  x = torch.roll(x, 1, 4)" or "layer1.0  in net::Block::forward". Unknown parts are
  // left out. If nothing else is known, it is the node.
  std::string Text() const;
};

// One thing that is wrong. Calls of one operator that fail for one reason are one diagnostic.
struct Diagnostic {
  Code code = Code::kUnsupportedProgram;
  std::string op = {};                    // with its overload: "aten::add.Tensor"; empty: not about a call
  int calls = 0;                          // how many calls fail so; 0: not about a call
  std::string reason = {};                // what was seen and what would work; lower case, no full stop; one line
  std::vector<std::string> options = {};  // the members of ExportOptions that the reason names
  int opset = 0;          // the lowest later opset that can express all of the calls; 0: none, or not about an opset
  std::string spec = {};  // the entry that says how the operator is exported: "spec/aten/shape.yaml:31"; may be empty
  std::vector<CallSite> sites = {};  // each place once, in the program's order
};

// Something that the caller should check in an exported model. Lines after the first one are details.
struct Warning {
  Code code = Code::kOtherSizes;
  std::string text = {};
};

// Returns how a front end names an option. `key` is the member of ExportOptions. `value` may be empty, else it is a
// value for the option. The command turns "weights_as" and "int4" into "--weights-as int4".
using OptionName = std::string (*)(std::string_view key, std::string_view value);
std::string OptionInCpp(std::string_view key, std::string_view value);  // "ExportOptions::weights_as: \"int4\""
// The form of JSON, Python and JavaScript: "`weights_as`: \"int4\"".
std::string OptionAsKey(std::string_view key, std::string_view value);

// All that is wrong with an export. Reasons name options as C++ does: "ExportOptions::weights".
class Report {
 public:
  // `headline` says what a list of diagnostics is about. It is empty if each diagnostic is clear alone.
  Report(ErrorKind kind, std::vector<Diagnostic> diagnostics, std::string headline = {});
  // A report with one diagnostic. The second form uses the general code of the kind.
  Report(Code code, const std::string& reason);
  Report(ErrorKind kind, const std::string& reason);

  ErrorKind kind() const { return kind_; }
  const std::string& headline() const { return headline_; }
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

  // Returns this report with `where` ("model.pt2: ") before the headline, or before each reason if there is no
  // headline.
  Report Behind(const std::string& where) const;
  // Returns this report with options named as `name` names them.
  Report With(OptionName name) const;

  // For people, without a newline at the end:
  //   the model cannot be exported at opset 9:
  //     aten::roll (3 calls): axis 4 is outside a rank of 2
  //         opset 11 can express it
  //         layer1.0  model.py:12  x = torch.roll(x, 1, 4)
  // It shows at most five places of each diagnostic. Names from the file are escaped (text.h), so they add no lines.
  std::string Text() const;
  // The same with codes, as the command shows it. A diagnostic without a headline is "error[E0104]: ..." on a line of
  // its own. Under "error: HEADLINE:" each diagnostic begins with "[E0104] ".
  std::string TextWithCodes() const;

  // For programs: one line of UTF-8 (other bytes are replaced). Keys of unknown things are left out:
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
