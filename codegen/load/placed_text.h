// The text of a YAML scalar, with the place in the file of each of its bytes.
#ifndef ONNXPORT_CODEGEN_LOAD_PLACED_TEXT_H_
#define ONNXPORT_CODEGEN_LOAD_PLACED_TEXT_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/source/diagnostics.h"

namespace onnxport::codegen {

// The place of every byte is kept, so a caret can point into an expression that YAML folded over three lines. This
// costs 8 bytes for each byte of text, which is cheap for spec files.
class PlacedText {
 public:
  PlacedText() = default;
  // A text that is in the file unchanged, on one line.
  PlacedText(std::string text, const Place& start);
  // `text` is YAML's value of the scalar that starts at byte `offset`, place `start`: plain, quoted or block.
  PlacedText(std::string text, size_t offset, const Place& start);

  const std::string& text() const { return text_; }
  // False for a quoted scalar without its closing quote: some YAML readers end it at the end of the file.
  bool closed() const { return closed_; }
  // Place of a byte of `text`; text().size() is the end.
  Place At(size_t position) const;
  // Returns a part of the text.
  PlacedText Part(size_t begin, size_t end) const;
  // Returns the text without white space at both ends.
  PlacedText Trimmed() const;

 private:
  struct Point {
    int line, column;
  };
  std::string text_;
  std::shared_ptr<const SourceFile> file_;
  bool closed_ = true;
  std::vector<Point> points_;  // one more than text_ has bytes
};

// Splits the text at `separator` and trims the parts.
std::vector<PlacedText> Split(const PlacedText& text, char separator);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_LOAD_PLACED_TEXT_H_
