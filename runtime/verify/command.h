// The command line of the program that `exporter verify` starts. It links no LibTorch: users compile what does with a
// LibTorch of theirs, and get this in a library (docs/cmake.md).
#ifndef ONNXPORT_RUNTIME_VERIFY_COMMAND_H_
#define ONNXPORT_RUNTIME_VERIFY_COMMAND_H_

#include "runtime/verify/program/reference.h"

namespace onnxport::verify {

// The exit status.
int RunCommand(int argc, char** argv, const Torch& torch);

}  // namespace onnxport::verify

#endif  // ONNXPORT_RUNTIME_VERIFY_COMMAND_H_
