// What the command says. Texts hold names that come from the file: nothing in them may steer a terminal.
#ifndef ONNXPORT_RUNTIME_CLI_MESSAGES_H_
#define ONNXPORT_RUNTIME_CLI_MESSAGES_H_

#include <string>
#include <string_view>

namespace onnxport::cli {

// The text with control characters other than newline and tab, and bytes that are no UTF-8, as \xNN.
std::string Visible(std::string_view text);

// Writes Visible(text) to stderr. What cannot be written is lost: a message never decides how an export ends.
void Tell(std::string_view text);

// Writes Visible(text) to stdout; `main` looks at its state at the end.
void Say(std::string_view text);

}  // namespace onnxport::cli

#endif  // ONNXPORT_RUNTIME_CLI_MESSAGES_H_
