// Writes YAML in block style, with the comments of the file that it is made from.
#ifndef ONNXPORT_CODEGEN_FORMAT_PRINTER_H_
#define ONNXPORT_CODEGEN_FORMAT_PRINTER_H_

#include <string>
#include <vector>

#include "codegen/format/comments.h"
#include "codegen/format/layout.h"

namespace onnxport::codegen {

// What stands before a value: `    emit:`, `  -`.
struct Lead {
  int indent = 0;
  std::string text;  // `emit:`, `- emit:`, `-`
  int line = 0;      // where the node was: its comments are written above and beside it; 0 for none
};

class Printer {
 public:
  explicit Printer(Comments comments) : comments_(std::move(comments)) {}

  void Blank();
  void CommentsAbove(int line, int indent);
  void CommentBlock(int indent, const std::vector<std::string>& lines);
  // `emit: Relu(x)`, on several lines when it is long, quoted when YAML needs it.
  void Value(const Lead& lead, const Pieces& pieces);
  // A text that stands as it is.
  void Plain(const Lead& lead, const std::string& text);
  // A key whose value begins on the next line.
  void Open(const Lead& lead) { Plain(lead, ""); }

  // Ends the file.
  std::string Take();
  int UntakenComment() const { return comments_.Untaken(); }

 private:
  void Line(const Lead& lead, const std::string& text);

  Comments comments_;
  std::string text_;
};

// In single quotes.
std::string Quoted(const std::string& text);

// Returns whether YAML reads a text as a text only in quotes, at the place of a block's value.
bool NeedsQuotes(const std::string& text);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_FORMAT_PRINTER_H_
