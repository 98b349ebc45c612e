// Writes YAML in block style, with the comments of the original file.
#ifndef ONNXPORT_CODEGEN_FORMAT_PRINTER_H_
#define ONNXPORT_CODEGEN_FORMAT_PRINTER_H_

#include <string>
#include <vector>

#include "codegen/format/comments.h"
#include "codegen/format/layout.h"

namespace onnxport::codegen {

// The text before a value: `    emit:`, `  -`.
struct Lead {
  int indent = 0;
  std::string text;  // `emit:`, `- emit:`, `-`
  int line = 0;      // the line of the node in the file, whose comments are written above and beside it; 0 for none
};

class Printer {
 public:
  explicit Printer(Comments comments) : comments_(std::move(comments)) {}

  void Blank();
  void CommentsAbove(int line, int indent);
  void CommentBlock(int indent, const std::vector<std::string>& lines);
  // Writes `emit: Relu(x)`, on several lines if it is long, quoted if YAML needs it.
  void Value(const Lead& lead, const Pieces& pieces);
  // Writes a text unchanged.
  void Plain(const Lead& lead, const std::string& text);
  // A key whose value begins on the next line.
  void Open(const Lead& lead) { Plain(lead, ""); }

  // Ends the file and returns its text.
  std::string Take();
  int UntakenComment() const { return comments_.Untaken(); }

 private:
  void Line(const Lead& lead, const std::string& text);

  Comments comments_;
  std::string text_;
};

// In single quotes.
std::string Quoted(const std::string& text);

// Returns true if YAML reads this text as text only in quotes, as a value in block style.
bool NeedsQuotes(const std::string& text);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_FORMAT_PRINTER_H_
