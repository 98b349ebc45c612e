#ifndef ONNXPORT_RUNTIME_VERIFY_CANNOT_COMPARE_H_
#define ONNXPORT_RUNTIME_VERIFY_CANNOT_COMPARE_H_

#include <string>
#include <utility>

#include "runtime/base/error.h"

namespace onnxport::verify {

// To throw where one of the two does not run, so that nothing is said of the model. What is wrong with the command line
// or a file is an Error of another kind.
inline Error CannotCompare(std::string reason) { return {ErrorKind::kCannotExport, std::move(reason)}; }

}  // namespace onnxport::verify

#endif  // ONNXPORT_RUNTIME_VERIFY_CANNOT_COMPARE_H_
