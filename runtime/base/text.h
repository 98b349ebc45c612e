// Texts that come from files.
#ifndef ONNXPORT_RUNTIME_BASE_TEXT_H_
#define ONNXPORT_RUNTIME_BASE_TEXT_H_

#include <string>
#include <string_view>

namespace onnxport {

// Valid UTF-8 without overlong forms and surrogates (Unicode 15, table 3-7).
bool IsUtf8(std::string_view text);

// The one way in which texts from a file are shown: everything that steers a terminal, breaks a line or lets text look
// like other text is escaped. A control character of ASCII and a byte that is no UTF-8 become \xNN; U+007F to U+009F,
// line and paragraph separators, and marks of the writing direction become \uNNNN. Escapes stay as they are.
std::string VisibleLine(std::string_view text);
// As VisibleLine, for a text that is made of lines: line ends and tabs stay.
std::string VisibleText(std::string_view text);

// The text with this character in place of each that VisibleLine escapes: for names in models, which tools show.
std::string WithoutHidden(std::string text, char instead);

// VisibleLine of no more than 100 bytes: for names in messages.
std::string Printable(std::string_view text);

// Without the characters of `spaces` at both ends.
std::string_view Trim(std::string_view text, std::string_view spaces = " ");

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_BASE_TEXT_H_
