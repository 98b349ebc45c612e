// Makes texts with names from a file safe to show.
#ifndef ONNXPORT_TEXT_H_
#define ONNXPORT_TEXT_H_

#include <string>
#include <string_view>

namespace onnxport {

// Escapes everything that steers a terminal or looks like other text:
//
//   \xNN    control characters other than newline and tab, and bytes that are no UTF-8
//   \uNNNN  U+007F to U+009F, line separators and marks of the writing direction
//
// In the text of a JSON document these are JSON's own escapes, so they leave its values as they are.
std::string Visible(std::string_view text);

// The same for a text that must stay on one line, such as a name: newlines and tabs are escaped, too. The texts of a
// Report and the results of Inspect are escaped already. Names of a model (Port::name) are as the file has them.
std::string VisibleName(std::string_view name);

}  // namespace onnxport

#endif  // ONNXPORT_TEXT_H_
