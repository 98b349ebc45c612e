// Splits a spec file into lines without a YAML parser, because the file may be invalid while somebody is typing.
#ifndef ONNXPORT_CODEGEN_HELP_LINES_H_
#define ONNXPORT_CODEGEN_HELP_LINES_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace onnxport::codegen {

// `  - when: opset >= 13`: dash 2, column 4, key "when", value from byte 10 on. Counted from 0.
struct Line {
  std::string text;
  int dash = -1;       // column of the first `- `; -1 without one
  int column = 0;      // column of the text after the dashes; the length of an empty line
  std::string key;     // without quotes; empty without one
  size_t value = 0;    // begin of the value
  bool blank = false;  // or a comment

  bool has_key() const { return !key.empty(); }
  // The text after the key; without a key, the whole text.
  std::string_view Value() const;
  // A line above can be the parent of this line if its column is smaller than this.
  int ParentsBelow() const { return dash >= 0 ? dash + 1 : column; }
};

std::vector<Line> LinesOf(std::string_view text);

// The lines of an item of `ops`: the first, and the one after the last, counted from 0.
using LineRange = std::pair<size_t, size_t>;
std::vector<LineRange> ItemsOf(const std::vector<Line>& lines);

// Returns the imports in the header that can be read.
std::vector<std::string> ImportsOf(const std::vector<Line>& lines);

// The contents of a header.
struct Header {
  std::string family;
  std::vector<std::string> imports;
};
// Returns the file with only these items, on their lines, and this header.
std::string TextOf(const std::vector<Line>& lines, const std::vector<LineRange>& items, const Header& header);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_HELP_LINES_H_
