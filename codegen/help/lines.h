// Reads the lines of a spec file one by one. So it can answer questions about a file that is not valid YAML at the
// moment, because somebody is still writing it.
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
  int dash = -1;       // of the first `- `; -1 without one
  int column = 0;      // of what stands behind the dashes; of an empty line its length
  std::string key;     // without quotes; empty without one
  size_t value = 0;    // where it begins
  bool blank = false;  // or a comment

  bool has_key() const { return !key.empty(); }
  // The text behind the key; if the line has no key, the whole text.
  std::string_view Value() const;
  // Columns at which a line above that is this one's parent may begin: smaller ones.
  int ParentsBelow() const { return dash >= 0 ? dash + 1 : column; }
};

std::vector<Line> LinesOf(std::string_view text);

// The items of `ops`: first line and the one after the last, counted from 0.
using LineRange = std::pair<size_t, size_t>;
std::vector<LineRange> ItemsOf(const std::vector<Line>& lines);

// The imports in the header, as far as they can be read.
std::vector<std::string> ImportsOf(const std::vector<Line>& lines);

// The contents of a header.
struct Header {
  std::string family;
  std::vector<std::string> imports;
};
// The file with these items only, all in their places, and this header.
std::string TextOf(const std::vector<Line>& lines, const std::vector<LineRange>& items, const Header& header);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_HELP_LINES_H_
