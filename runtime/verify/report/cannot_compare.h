#ifndef ONNXPORT_RUNTIME_VERIFY_REPORT_CANNOT_COMPARE_H_
#define ONNXPORT_RUNTIME_VERIFY_REPORT_CANNOT_COMPARE_H_

#include <string>

#include "runtime/base/error.h"

namespace onnxport::verify {

// Thrown where one of the two does not run, so that the comparison says nothing about the model. A mistake in the
// command line or a file is an Error of another kind.
inline Error CannotCompare(const std::string& reason) { return {Code::kNotCompared, reason}; }

}  // namespace onnxport::verify

#endif  // ONNXPORT_RUNTIME_VERIFY_REPORT_CANNOT_COMPARE_H_
