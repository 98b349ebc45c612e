#include "codegen/format/printer.h"

#include <utility>

namespace onnxport::codegen {

std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c;
    if (c == '\'') quoted += c;
  }
  return quoted + "'";
}

// Texts that YAML would read as something else: `[a, b]` as a list, `a: b` as a map, `x #y` as a comment, `- 1` as an
// item.
bool NeedsQuotes(const std::string& text) {
  static constexpr std::string_view kIndicators = ",[]{}#&*!|>'\"%@`";
  if (text.empty() || text.find(": ") != std::string::npos || text.find(" #") != std::string::npos) return true;
  const bool is_indicator = kIndicators.find(text[0]) != std::string_view::npos;
  const bool is_dash = (text[0] == '-' || text[0] == '?' || text[0] == ':') && (text.size() == 1 || text[1] == ' ');
  return is_indicator || is_dash || text.back() == ':' || text == "null" || text == "~";
}

void Printer::Blank() {
  if (!text_.ends_with("\n\n")) text_ += '\n';
}

// Words that do not fit on a line flow into the next one.
void Printer::CommentBlock(int indent, const std::vector<std::string>& lines) {
  const size_t room = kMaxColumns - indent;
  std::string rest;
  for (size_t i = 0; i < lines.size(); ++i) {
    std::string line = rest.empty() ? lines[i] : rest + lines[i].substr(1);
    rest.clear();
    const size_t space = line.size() > room ? line.rfind(' ', room) : 0;
    if (space > 1 && space != std::string::npos) rest = "#" + line.substr(space), line.resize(space);
    text_ += std::string(indent, ' ') + line + "\n";
  }
  if (!rest.empty()) CommentBlock(indent, {rest});
}

void Printer::CommentsAbove(int line, int indent) { CommentBlock(indent, comments_.TakeAbove(line)); }

void Printer::Value(const Lead& lead, const Pieces& pieces) {
  const std::string flat = Flat(pieces);
  const bool quoted = NeedsQuotes(flat);
  const int column = lead.indent + static_cast<int>(lead.text.size()) + 1 + (quoted ? 1 : 0);
  std::string value = Layout(pieces, column, column, quoted ? 1 : 0);
  std::string before = " ";
  // A value that does not fit beside its key begins on the next line, where it has more room.
  const int hanging = lead.indent + (lead.text.starts_with("- ") ? 4 : 2);
  if (WidestLine(value, column) + (quoted ? 1 : 0) > kMaxColumns && lead.text.ends_with(':')) {
    value = Layout(pieces, hanging + (quoted ? 1 : 0), hanging, quoted ? 1 : 0);
    before = "\n" + std::string(hanging, ' ');
  }
  if (quoted) value = Quoted(value);
  Line(lead, before + value);
}

void Printer::Plain(const Lead& lead, const std::string& text) { Line(lead, text.empty() ? "" : " " + text); }

void Printer::Line(const Lead& lead, const std::string& text) {
  CommentsAbove(lead.line, lead.indent);
  const std::string comment = comments_.TakeBeside(lead.line);
  const std::string line = std::string(lead.indent, ' ') + lead.text + text;
  const bool beside = line.find('\n') == std::string::npos && line.size() + 2 + comment.size() <= kMaxColumns;
  // Above, if there is no room beside any more: a long value pushes its comment up.
  if (!comment.empty() && !beside) CommentBlock(lead.indent, {comment});
  text_ += line + (comment.empty() || !beside ? "" : "  " + comment) + "\n";
}

std::string Printer::Take() {
  if (!comments_.at_end().empty()) Blank();
  CommentBlock(0, comments_.at_end());
  return std::move(text_);
}

}  // namespace onnxport::codegen
