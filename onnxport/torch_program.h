// A program of LibTorch that is exported. "onnxport/torch.h" makes one from a module or a callable, and the functions
// of "onnxport/torch_export.h" take it. Both include this header.
#ifndef ONNXPORT_TORCH_PROGRAM_H_
#define ONNXPORT_TORCH_PROGRAM_H_

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace onnxport {

// A function from arguments to tensors, and the named parameters and buffers that it uses.
struct TorchProgram {
  std::function<c10::IValue(const std::vector<c10::IValue>& arguments)> run;
  std::vector<std::pair<std::string, at::Tensor>> parameters = {};
  std::vector<std::pair<std::string, at::Tensor>> buffers = {};
};

}  // namespace onnxport

namespace onnxport::torch_program {

// The arguments do not fit the program, or a model cannot have such results. This is the caller's mistake.
class DoesNotFit : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

}  // namespace onnxport::torch_program

#endif  // ONNXPORT_TORCH_PROGRAM_H_
