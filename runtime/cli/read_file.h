// Files that the command itself reads.
#ifndef ONNXPORT_RUNTIME_CLI_READ_FILE_H_
#define ONNXPORT_RUNTIME_CLI_READ_FILE_H_

#include <string>

#include "onnxport/expected.h"

namespace onnxport::cli {

// All of a regular file. kBadInput, which names it, for another (a pipe may have no writer, a device no end), for one
// that cannot be read, and for one larger than a text of that kind is: 256 MiB.
Result<std::string> ReadFile(const std::string& path);

}  // namespace onnxport::cli

#endif  // ONNXPORT_RUNTIME_CLI_READ_FILE_H_
