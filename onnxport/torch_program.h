// A program of LibTorch whose calls are exported. "onnxport/torch.h" makes one of a module or a callable, and
// "onnxport/torch_export.h" takes it. Included by both.
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

// A function from arguments to tensors, and the names of its tensors.
struct TorchProgram {
  std::function<c10::IValue(const std::vector<c10::IValue>& arguments)> run;
  std::vector<std::pair<std::string, at::Tensor>> parameters = {};
  std::vector<std::pair<std::string, at::Tensor>> buffers = {};
};

}  // namespace onnxport

namespace onnxport::torch_program {

// The arguments do not fit the program, or no model has such results: the caller's mistake, not the program's.
class DoesNotFit : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

}  // namespace onnxport::torch_program

#endif  // ONNXPORT_TORCH_PROGRAM_H_
