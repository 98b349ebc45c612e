// A process of its own for a file of which nothing is known.
#ifndef ONNXPORT_RUNTIME_CLI_CHILD_H_
#define ONNXPORT_RUNTIME_CLI_CHILD_H_

#include <optional>
#include <string>

namespace onnxport::cli {

// Divides the process in two. The child gets nothing, and goes on, with a limit to its memory that follows from the
// size of the file. The other one waits for it, and gets the exit status: the child's, or, where it was ended by a
// signal or takes longer than it may, one that it has said why. `max_seconds` 0: it may take any time.
//
// The library looks at time and memory itself. But ONNX's checker and inference, which it calls, look at neither within
// one node, and may end the process.
std::optional<int> RunInChild(const std::string& file, unsigned max_seconds);

}  // namespace onnxport::cli

#endif  // ONNXPORT_RUNTIME_CLI_CHILD_H_
