// The program of PyTorch, run by LibTorch.
#ifndef ONNXPORT_RUNTIME_VERIFY_PROGRAM_TORCH_REFERENCE_H_
#define ONNXPORT_RUNTIME_VERIFY_PROGRAM_TORCH_REFERENCE_H_

#include <memory>
#include <string>
#include <vector>

#include "onnxport/input.h"
#include "runtime/verify/inputs/ports.h"
#include "runtime/verify/program/reference.h"

namespace onnxport::verify {

// Runs a `.pt2` call by call through LibTorch's dispatcher.
std::unique_ptr<StepwiseReference> OpenPt2(const std::string& path, const Ports& model);

// Loads a TorchScript file with LibTorch, which runs code of the file. `fixed` are values of parameters that are no
// inputs of the model.
std::unique_ptr<Reference> OpenScript(const std::string& path, const Ports& model, const std::vector<Input>& fixed);

}  // namespace onnxport::verify

#endif  // ONNXPORT_RUNTIME_VERIFY_PROGRAM_TORCH_REFERENCE_H_
