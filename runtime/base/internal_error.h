// Errors that report a mistake of this program.
#ifndef ONNXPORT_RUNTIME_BASE_INTERNAL_ERROR_H_
#define ONNXPORT_RUNTIME_BASE_INTERNAL_ERROR_H_

#include <string>
#include <utility>

#include "runtime/base/error.h"

namespace onnxport {

// Makes the error for a mistake found in our own results, before it becomes a wrong model. `what` may be empty.
inline Error InternalError(const std::string& what) {
  Diagnostic diagnostic = {.code = Code::kInternal, .reason = "internal error, please report it"};
  if (!what.empty()) diagnostic.reason += ": " + what;
  return Error(Report(ErrorKind::kCannotExport, {std::move(diagnostic)}));
}

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_BASE_INTERNAL_ERROR_H_
