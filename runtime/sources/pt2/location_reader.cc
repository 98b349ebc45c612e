#include "runtime/sources/pt2/location_reader.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "runtime/base/foreign_file.h"
#include "runtime/base/text.h"

namespace onnxport::pt2 {
namespace {

constexpr std::string_view kSpaces = " \t\r";

struct Frame {
  std::string_view file;
  int line = 0;
  std::string_view code;
};

// `File "model.py", line 12, in forward`
bool ReadFrame(std::string_view text, Frame* frame) {
  text = Trim(text, kSpaces);
  if (!text.starts_with("File \"")) return false;
  text.remove_prefix(6);
  const size_t quote = text.find("\", line ");
  if (quote == std::string_view::npos) return false;
  *frame = {text.substr(0, quote), 0, {}};
  text.remove_prefix(quote + 8);
  std::from_chars(text.data(), text.data() + text.size(), frame->line);
  return true;
}

// Returns the innermost frame of the user, or the innermost of all. Frames go from the outermost to the innermost, so a
// later frame of the user replaces an earlier one. After one is found, frames of PyTorch (`torch/nn/modules/conv.py`)
// do not replace it.
Frame InnermostFrame(std::string_view trace) {
  Frame best;
  bool user = false;
  bool open = false;  // the next line is the code of `best`
  while (!trace.empty()) {
    const size_t end = std::min(trace.find('\n'), trace.size());
    const std::string_view line = trace.substr(0, end);
    trace.remove_prefix(std::min(end + 1, trace.size()));
    Frame frame;
    if (ReadFrame(line, &frame)) {
      open = !user || !IsForeignFile(frame.file);
      if (!open) continue;
      best = frame;
      user = user || !IsForeignFile(frame.file);
    } else if (open) {
      best.code = Trim(line, kSpaces);
      open = false;
    }
  }
  return best;
}

// "conv1@1" is the second call of conv1: removes the number and returns it.
int TakeNumber(std::string_view* name) {
  const size_t at = name->find('@');
  if (at == std::string_view::npos) return 0;
  int number = 0;
  std::from_chars(name->data() + at + 1, name->data() + name->size(), number);
  name->remove_suffix(name->size() - at);
  return number;
}

// Reads path, type and call of a module: "L__self___conv1@1,conv1,torch.nn.modules.conv.Conv2d". Returns false for
// another text. The number is at the first name or at the path.
bool ReadModule(std::string_view entry, ir::ModuleCall* module) {
  const size_t first = entry.find(',');
  const size_t second = first == std::string_view::npos ? first : entry.find(',', first + 1);
  if (second == std::string_view::npos || entry.starts_with("_empty_nn_module_stack")) return false;
  std::string_view key = entry.substr(0, first);
  std::string_view path = entry.substr(first + 1, second - first - 1);
  module->number = std::max({0, TakeNumber(&key), TakeNumber(&path)});
  module->path = std::string(path);
  module->type = std::string(entry.substr(second + 1));
  return true;
}

}  // namespace

const std::shared_ptr<const ir::SourceLine>& LocationReader::LineOf(std::string_view trace) {
  if (const auto* found = lines_.Find(trace)) return *found;
  const Frame frame = InnermostFrame(trace);
  ir::SourceLine line{std::string(frame.file), std::max(frame.line, 0), std::string(frame.code), std::string(trace)};
  return *lines_.Add(trace, std::make_shared<const ir::SourceLine>(std::move(line))).first;
}

// "L__self__,,Net;L__self___conv1,conv1,torch.nn.modules.conv.Conv2d"
const std::shared_ptr<const ir::ModuleCall>& LocationReader::Modules(std::string_view stack) {
  if (const auto* found = stacks_.Find(stack)) return *found;
  std::shared_ptr<const ir::ModuleCall> innermost;
  for (std::string_view rest = stack; !rest.empty();) {
    const size_t end = std::min(rest.find(';'), rest.size());
    ir::ModuleCall module;
    if (ReadModule(rest.substr(0, end), &module)) {
      module.caller = std::move(innermost);
      innermost = std::make_shared<const ir::ModuleCall>(std::move(module));
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return *stacks_.Add(stack, std::move(innermost)).first;
}

ir::Location LocationReader::Read(const Json& node) {
  ir::Location location;
  if (const auto name = node.Find("name")) location.op_name = std::string(name->AsText());
  const auto metadata = node.Find("metadata");
  if (!metadata) return location;
  if (const auto text = metadata->Find("stack_trace")) {
    location.at = LineOf(text->AsText());
  }
  if (const auto stack = metadata->Find("nn_module_stack")) location.module = Modules(stack->AsText());
  return location;
}

}  // namespace onnxport::pt2
