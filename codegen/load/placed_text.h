// The text of a YAML scalar, with the place in the file of each of its bytes.
#ifndef ONNXPORT_CODEGEN_LOAD_PLACED_TEXT_H_
#define ONNXPORT_CODEGEN_LOAD_PLACED_TEXT_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/source/diagnostics.h"

namespace onnxport::codegen {

// The place of every byte is kept, so that a caret can point into the middle of an expression that YAML has folded over
// three lines. It costs 8 bytes for each byte of text, which spec files can afford.
class PlacedText {
 public:
  PlacedText() = default;
  // A text that lies in the file as it is, on one line.
  PlacedText(std::string text, const Place& start);
  // `text` is what YAML made of the scalar that starts at byte `offset`, place `start`: plain, quoted or block.
  PlacedText(std::string text, size_t offset, const Place& start);

  const std::string& text() const { return text_; }
  // False for a quoted scalar whose quote is missing: some YAML readers take the end of the file for it.
  bool closed() const { return closed_; }
  // Place of a byte of `text`; text().size() is the end.
  Place At(size_t position) const;
  // A part of it.
  PlacedText Part(size_t begin, size_t end) const;
  // Without white space at both ends.
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

// Parts between `separator`, trimmed.
std::vector<PlacedText> Split(const PlacedText& text, char separator);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_LOAD_PLACED_TEXT_H_
