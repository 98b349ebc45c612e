#include "onnxport/exit_status.h"

namespace onnxport {

int ExitStatus(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kCannotExport:
      return 1;
    case ErrorKind::kUsage:
      return 2;
    case ErrorKind::kBadInput:
    case ErrorKind::kMemoryBudget:
    case ErrorKind::kDeadline:
      return 3;
    case ErrorKind::kCannotWrite:
      return 4;
    case ErrorKind::kCancelled:  // the command dies of the signal that asked for it
      break;
  }
  return 1;
}

}  // namespace onnxport
