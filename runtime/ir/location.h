// The location of a node in the user's program.
#ifndef ONNXPORT_RUNTIME_IR_LOCATION_H_
#define ONNXPORT_RUNTIME_IR_LOCATION_H_

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace onnxport::ir {

// A module while it is called, and the call around it.
struct ModuleCall {
  std::string path;                               // of the instance: "layer1.0.conv1"; empty for the root
  std::string type = {};                          // "torch.nn.modules.conv.Conv2d"; may be empty
  std::shared_ptr<const ModuleCall> caller = {};  // null: none, or not known
  int number = 0;                                 // the number of the call among those of this instance, from 0
};

// A line of the user's program.
struct SourceLine {
  std::string file = {};   // may be empty
  int line = 0;            // 1-based; 0 when unknown
  std::string code = {};   // its text, trimmed; may be empty
  std::string trace = {};  // the whole stack as Python prints it; empty: unknown
};

// A program has many calls but few lines and modules, so calls of one line share it.
struct Location {
  std::shared_ptr<const SourceLine> at = {};      // null: unknown
  std::shared_ptr<const ModuleCall> module = {};  // null: the root, or unknown
  std::string op_name = {};                       // the node's own name in the source ("conv2d_3")

  // These belong to the line; empty without a line.
  const std::string& file() const { return source_line().file; }
  int line() const { return source_line().line; }
  const std::string& code() const { return source_line().code; }
  const std::string& trace() const { return source_line().trace; }

 private:
  const SourceLine& source_line() const;
};

// For code that does not share lines.
inline std::shared_ptr<const SourceLine> MakeLine(std::string file, int line, std::string code = {}) {
  return std::make_shared<const SourceLine>(SourceLine{std::move(file), line, std::move(code), {}});
}

// The path of the module that the location is in.
inline std::string_view ModulePath(const Location& location) {
  return location.module ? std::string_view(location.module->path) : "";
}

// "model.py:12"; only the file if the line is unknown; empty without a file.
std::string FileAndLine(const Location& location);

// " (model.py:12)", to be put after a name in a message; empty without a file.
std::string InParentheses(const Location& location);

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_LOCATION_H_
