// Texts that hold names from a file.
#ifndef ONNXPORT_TEXT_H_
#define ONNXPORT_TEXT_H_

#include <string>
#include <string_view>

namespace onnxport {

// The text with control characters other than newline and tab, and bytes that are no UTF-8, as \xNN, and with U+007F to
// U+009F, line separators and marks of the writing direction as \uNNNN: nothing in it steers a terminal, or looks like
// what it is not. In the text of a JSON document these are JSON's own escapes, and so leave its values as they are.
std::string Visible(std::string_view text);

// The same of what is to stay in one line, such as a name: newlines and tabs are escaped, too. The texts of a Report,
// and what Inspect and the like give, are so already; names of a model (Port::name) are as the file has them.
std::string VisibleName(std::string_view name);

}  // namespace onnxport

#endif  // ONNXPORT_TEXT_H_
