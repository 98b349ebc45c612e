// A program of LibTorch, whose calls are exported: what "onnxport/torch.h" makes of a module or a callable, and
// "onnxport/torch_export.h" takes. Included by both.
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

// Arguments in, tensors out, and what its tensors are called.
struct TorchProgram {
  std::function<c10::IValue(const std::vector<c10::IValue>& arguments)> run;
  std::vector<std::pair<std::string, at::Tensor>> parameters = {};
  std::vector<std::pair<std::string, at::Tensor>> buffers = {};
};

}  // namespace onnxport

namespace onnxport::torch_program {

// Arguments that the program does not take, results that no model has: the caller's mistake, not the program's.
class DoesNotFit : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

}  // namespace onnxport::torch_program

#endif  // ONNXPORT_TORCH_PROGRAM_H_
