// Exit statuses of failures.
#ifndef ONNXPORT_EXIT_STATUS_H_
#define ONNXPORT_EXIT_STATUS_H_

#include "onnxport/diagnostic.h"

namespace onnxport {

// Returns the exit status of the command, which the functions of c.h return, too:
//
// - 1: the model cannot be exported, or the caller cancelled the export
// - 2: usage
// - 3: the file is damaged, or takes more time or memory than it is given
// - 4: the output cannot be written
int ExitStatus(ErrorKind kind);

}  // namespace onnxport

#endif  // ONNXPORT_EXIT_STATUS_H_
