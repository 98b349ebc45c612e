// Prints the messages of the command. They contain names from the file, so escape sequences are made harmless.
#ifndef ONNXPORT_RUNTIME_CLI_MESSAGES_H_
#define ONNXPORT_RUNTIME_CLI_MESSAGES_H_

#include <string>
#include <string_view>

#include "onnxport/diagnostic.h"
#include "onnxport/model.h"

namespace onnxport::cli {

// Writes Visible(text) to stderr. A write error is ignored: a message never changes the result of an export.
void Tell(std::string_view text);

// Writes Visible(text) to stdout. `main` checks for write errors at the end.
void Say(std::string_view text);

// The same for one line, with a newline added. Names cannot break the line.
void TellLine(std::string_view text);
void SayLine(std::string_view text);

// Prints the failure, with the command's flags as names of options, and advice if an operator has no mapping. Returns
// the exit status: 1 the model cannot be exported, 2 usage, 3 the file is damaged or takes too much time or memory, 4
// the output cannot be written.
int Fail(const Report& report);

// Prints which data files were left: the new model `out` does not name them, but they may still be used.
void TellLeftBehind(const SaveReport& files, const std::string& out);

}  // namespace onnxport::cli

#endif  // ONNXPORT_RUNTIME_CLI_MESSAGES_H_
