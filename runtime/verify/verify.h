// `exporter verify`: a model, run beside the program that it was made of.
#ifndef ONNXPORT_RUNTIME_VERIFY_VERIFY_H_
#define ONNXPORT_RUNTIME_VERIFY_VERIFY_H_

#include <string>

#include "runtime/cli/verify_options.h"
#include "runtime/verify/program/reference.h"

namespace onnxport::verify {

// Prints on stdout what was compared. `runner` is the program with ONNX Runtime. Returns whether all outputs agreed.
// Throws Error, and CannotCompare where one of the two does not run.
bool Verify(const cli::VerifyArguments& arguments, const Torch& torch, const std::string& runner);

}  // namespace onnxport::verify

#endif  // ONNXPORT_RUNTIME_VERIFY_VERIFY_H_
