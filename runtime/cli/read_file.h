// Files that the command itself reads.
#ifndef ONNXPORT_RUNTIME_CLI_READ_FILE_H_
#define ONNXPORT_RUNTIME_CLI_READ_FILE_H_

#include <string>

#include "onnxport/expected.h"

namespace onnxport::cli {

// Returns all of a regular file. Fails with kBadInput, and names the file, if it cannot be read or is larger than 256
// MiB. Fails so, too, if it is not a regular file: a pipe may have no writer, and a device no end.
Result<std::string> ReadFile(const std::string& path);

}  // namespace onnxport::cli

#endif  // ONNXPORT_RUNTIME_CLI_READ_FILE_H_
