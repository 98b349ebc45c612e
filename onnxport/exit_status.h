// Failures as numbers.
#ifndef ONNXPORT_EXIT_STATUS_H_
#define ONNXPORT_EXIT_STATUS_H_

#include "onnxport/diagnostic.h"

namespace onnxport {

// The exit status of the command, and what the functions of c.h return: 1 the model cannot be exported, 2 usage, 3 the
// file is damaged or takes more time or memory than it is given, 4 the output cannot be written. 1 also where the
// caller asked for the end.
int ExitStatus(ErrorKind kind);

}  // namespace onnxport

#endif  // ONNXPORT_EXIT_STATUS_H_
