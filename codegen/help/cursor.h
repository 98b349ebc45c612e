// Describes a place of a spec file.
#ifndef ONNXPORT_CODEGEN_HELP_CURSOR_H_
#define ONNXPORT_CODEGEN_HELP_CURSOR_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "codegen/help/keys.h"
#include "codegen/help/lines.h"

namespace onnxport::codegen {

struct Cursor {
  // The keys around it, outermost first: {"ops", "cases", "emit"}. If the place is itself a key, that key is not in the
  // path.
  std::vector<std::string> path;
  bool at_key = false;                // the place is a key, or may become one
  bool begins_line = false;           // at_key: only a dash may stand before it
  bool behind_dash = false;           // at_key: an element of a list begins here
  std::vector<std::string> siblings;  // at_key: the other keys of the map that have lines of their own
  std::string before;                 // the text before the cursor, within the key or value
  std::string word;                   // the whole word at the cursor
  std::string prefix;                 // its part before the cursor
  size_t word_column = 0;             // the column of its beginning, from 1
  char after_word = 0;                // the first character after it that is no space; 0 at the end of the line
  std::optional<LineRange> item;      // the item of `ops`
};

// `line` and `column` count from 1. The cursor is before the character at `column`.
Cursor FindCursor(const std::vector<Line>& lines, int line, int column);

// The meaning of a key or value at the cursor.
struct Spot {
  Inside inside;               // at a key: the contents of its map
  Form form = Form::kName;     // at a value
  std::optional<KeyInfo> key;  // the innermost key of the language around it
};
// `item` is the kind of the item of `ops` around the cursor. Returns nothing if the language has no such key.
std::optional<Spot> SpotOf(const Cursor& cursor, KeyMap item);
// Decides by the keys that the item has on lines of their own.
KeyMap OwnerOf(const std::vector<Line>& lines, const LineRange& item);

// Returns the innermost call that is open at the end of `text`: "Relu" of "emit: Relu(". Empty if there is none.
std::string OpenCall(const std::string& text);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_HELP_CURSOR_H_
