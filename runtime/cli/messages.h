// What the command says. Texts hold names that come from the file: nothing in them may steer a terminal.
#ifndef ONNXPORT_RUNTIME_CLI_MESSAGES_H_
#define ONNXPORT_RUNTIME_CLI_MESSAGES_H_

#include <string>
#include <string_view>

#include "onnxport/diagnostic.h"
#include "onnxport/model.h"

namespace onnxport::cli {

// Writes Visible(text) to stderr. What cannot be written is lost: a message never decides how an export ends.
void Tell(std::string_view text);

// Writes Visible(text) to stdout; `main` looks at its state at the end.
void Say(std::string_view text);

// The same of one line, without its end: whatever names are in it, it stays one.
void TellLine(std::string_view text);
void SayLine(std::string_view text);

// Prints the failure, with the command's flags for options, and advice where an operator has no mapping. Returns the
// exit status: 1 the model cannot be exported, 2 usage, 3 the file is damaged or takes more time or memory than it is
// given, 4 the output.
int Fail(const Report& report);

// Of data files that the model `out` does not name any more.
void TellLeftBehind(const SaveReport& files, const std::string& out);

}  // namespace onnxport::cli

#endif  // ONNXPORT_RUNTIME_CLI_MESSAGES_H_
