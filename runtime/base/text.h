// Functions for texts that come from files.
#ifndef ONNXPORT_RUNTIME_BASE_TEXT_H_
#define ONNXPORT_RUNTIME_BASE_TEXT_H_

#include <string>
#include <string_view>

namespace onnxport {

// Returns true for valid UTF-8: no overlong forms, no surrogates (Unicode 15, table 3-7).
bool IsUtf8(std::string_view text);

// Makes a text from a file safe to show; every message goes through it. It escapes everything that controls a terminal,
// breaks a line or makes text look like other text. An ASCII control character and a byte that is no UTF-8 become \xNN.
// U+007F to U+009F, line and paragraph separators, and marks of the writing direction become \uNNNN. Escapes stay as
// they are.
std::string VisibleLine(std::string_view text);
// Does the same for a text of several lines: line ends and tabs stay.
std::string VisibleText(std::string_view text);

// Replaces each character that VisibleLine escapes by `instead`. Used for names in models, which tools show.
std::string WithoutHidden(std::string text, char instead);

// Returns at most 100 bytes of the VisibleLine, for names in messages.
std::string Printable(std::string_view text);

// Removes the characters of `spaces` from both ends.
std::string_view Trim(std::string_view text, std::string_view spaces = " ");

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_BASE_TEXT_H_
