// Texts that come from files.
#ifndef ONNXPORT_RUNTIME_BASE_TEXT_H_
#define ONNXPORT_RUNTIME_BASE_TEXT_H_

#include <string>
#include <string_view>

namespace onnxport {

// Valid UTF-8 without overlong forms and surrogates (Unicode 15, table 3-7).
bool IsUtf8(std::string_view text);

// The text with what is not printable ASCII written as \xNN, cut at 100 characters: for messages.
std::string Printable(std::string_view text);

// Without the characters of `spaces` at both ends.
std::string_view Trim(std::string_view text, std::string_view spaces = " ");

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_BASE_TEXT_H_
