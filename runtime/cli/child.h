// Reads an untrusted file in a process of its own.
#ifndef ONNXPORT_RUNTIME_CLI_CHILD_H_
#define ONNXPORT_RUNTIME_CLI_CHILD_H_

#include <optional>
#include <string>

namespace onnxport::cli {

// Forks. In the child it returns nothing, and the child goes on, with a memory limit that depends on the size of the
// file. In the parent it waits for the child and returns the exit status. If a signal ended the child or it took too
// long, the parent prints an error and returns that error's status. `max_seconds` 0 means no time limit.
//
// The library limits its own time and memory. But it calls ONNX's checker and inference, which check no limit while
// they work on one node, and may crash.
std::optional<int> RunInChild(const std::string& file, unsigned max_seconds);

}  // namespace onnxport::cli

#endif  // ONNXPORT_RUNTIME_CLI_CHILD_H_
