// Models of LibTorch modules, run in ONNX Runtime against the modules.
#ifndef ONNXPORT_TESTS_TORCH_AGAINST_EAGER_H_
#define ONNXPORT_TESTS_TORCH_AGAINST_EAGER_H_

#include <string>
#include <vector>

#include "onnxport/torch.h"

namespace onnxport::tests {

// Tensors in a result, in order.
std::vector<torch::Tensor> Leaves(const c10::IValue& value);

// What ONNX Runtime gives of the model differs from `expected` so; empty when it does not.
std::string DifferenceFrom(const Model& model, const std::vector<torch::Tensor>& inputs,
                           const std::vector<torch::Tensor>& expected);

// Exports the program, and runs the model with each of `runs` against it. Empty, "refused: ...", or what differs.
struct Run {
  std::vector<c10::IValue> examples;
  std::vector<std::vector<c10::IValue>> others = {};  // with other sizes of the free axes
  ExportOptions options = {};
};
std::string Differs(const TorchProgram& program, const Run& run);

// The same of a module or a callable.
template <typename Net>
std::string NetDiffers(Net&& net, const Run& run) {
  TorchProgram program = {.run = torch_program::RunnerOf(net)};
  if constexpr (torch_program::HasModule<std::remove_cvref_t<Net>>) {
    for (const auto& item : torch_program::ModuleOf(net).named_parameters())
      program.parameters.emplace_back(item.key(), item.value());
    for (const auto& item : torch_program::ModuleOf(net).named_buffers())
      program.buffers.emplace_back(item.key(), item.value());
  }
  return Differs(program, run);
}

}  // namespace onnxport::tests

#endif  // ONNXPORT_TESTS_TORCH_AGAINST_EAGER_H_
