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
  // The keys around it, from the outside: {"ops", "cases", "emit"}. If the place is a key, the path leaves out that
  // key.
  std::vector<std::string> path;
  bool at_key = false;                // a key stands here, or may
  bool begins_line = false;           // at_key: and nothing but a dash before it
  bool behind_dash = false;           // at_key: an element of a list begins here
  std::vector<std::string> siblings;  // at_key: the other keys of the map, as far as they have lines of their own
  std::string before;                 // of the key or value, what stands before the cursor
  std::string word;                   // the whole word that the cursor is in, or behind
  std::string prefix;                 // its part before the cursor
  size_t word_column = 0;             // where it begins, from 1
  char after_word = 0;                // the first character behind it that is no space; 0 at the end of the line
  std::optional<LineRange> item;      // of `ops`
};

// `line` and `column` from 1; the cursor stands before the character at `column`.
Cursor FindCursor(const std::vector<Line>& lines, int line, int column);

// The meaning of a key or value at the cursor.
struct Spot {
  Inside inside;               // at a key: what its map has
  Form form = Form::kName;     // at a value
  std::optional<KeyInfo> key;  // the innermost key of the language around it
};
// `item`: what kind of item of `ops` it is in. Nothing where the language has no such key.
std::optional<Spot> SpotOf(const Cursor& cursor, KeyMap item);
// By the keys that the item has on lines of their own.
KeyMap OwnerOf(const std::vector<Line>& lines, const LineRange& item);

// The innermost call that is open at the end of `text`: "Relu" of "emit: Relu(". Empty without one.
std::string OpenCall(const std::string& text);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_HELP_CURSOR_H_
