// Texts that hold names from a file.
#ifndef ONNXPORT_TEXT_H_
#define ONNXPORT_TEXT_H_

#include <string>
#include <string_view>

namespace onnxport {

// The text with control characters other than newline and tab, and bytes that are no UTF-8, as \xNN: nothing in it
// steers a terminal.
std::string Visible(std::string_view text);

}  // namespace onnxport

#endif  // ONNXPORT_TEXT_H_
