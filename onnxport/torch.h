// Exports models of this process, made with LibTorch, to ONNX. Link //:onnxport_torch.
//
//   #include "onnxport/torch.h"
//
//   onnxport::ExportOptions options{.opset = 18};
//   options.inputs.push_back(onnxport::TensorInput("image", {onnxport::Sym("batch"), 3, 224, 224}));
//   auto model = onnxport::Export(net, {example}, options);
//   if (!model) {
//     std::cerr << model.error().Text() << "\n";
//     return 1;
//   }
//   if (auto saved = model->Save("model.onnx"); !saved) ...
//
// The program is run with the examples, in its current mode, and its calls of operators are exported. Parameters,
// buffers, mode and random state are left as they were found. Weights are not copied: they are read from their tensors'
// memory when the model is written, and the Model keeps these alive.
#ifndef ONNXPORT_TORCH_H_
#define ONNXPORT_TORCH_H_

#include <torch/script.h>
#include <torch/torch.h>

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "onnxport/export.h"
#include "onnxport/torch_call.h"
#include "onnxport/torch_custom.h"
#include "onnxport/torch_export.h"
#include "onnxport/torch_meta.h"
#include "onnxport/torch_program.h"

namespace onnxport {

// Makes a program of `net`: a module holder (torch::nn::Linear), a module, torch::nn::AnyModule, or any callable that
// takes tensors. It holds `net` by reference.
template <typename Net>
TorchProgram ProgramOf(Net& net) {
  TorchProgram program = {.run = torch_program::RunnerOf(net)};
  if constexpr (torch_program::HasModule<std::remove_cvref_t<Net>>) {
    const torch::nn::Module& module = torch_program::ModuleOf(net);
    for (const auto& item : module.named_parameters()) program.parameters.emplace_back(item.key(), item.value());
    for (const auto& item : module.named_buffers()) program.buffers.emplace_back(item.key(), item.value());
  }
  return program;
}

// Exports one of these, or a torch::jit::Module (which takes no `others`). ExportProgram and ExportScript describe the
// arguments and the errors. Arguments of `forward` without an example are empty tensors and optionals.
template <typename Net>
Result<Model> Export(Net&& net, std::vector<c10::IValue> examples, const ExportOptions& options = {},
                     const ExampleSets& others = {}) {
  if constexpr (std::is_same_v<std::remove_cvref_t<Net>, torch::jit::Module>) {
    return ExportScript(net, examples, options);
  } else {
    return ExportProgram(ProgramOf(net), std::move(examples), options, others);
  }
}

// Compares a model with the program, as VerifyProgram does: auto differences = onnxport::Verify(net, *model,
// {example});
template <typename Net>
Result<std::vector<std::string>> Verify(Net&& net, const Model& model, const std::vector<c10::IValue>& examples,
                                        const VerifyOptions& options = {}) {
  if constexpr (std::is_same_v<std::remove_cvref_t<Net>, torch::jit::Module>) {
    const auto run = [&net](const std::vector<c10::IValue>& arguments) { return net.forward(arguments); };
    return VerifyProgram({.run = run}, model, examples, options);
  } else {
    return VerifyProgram(ProgramOf(net), model, examples, options);
  }
}

}  // namespace onnxport

#endif  // ONNXPORT_TORCH_H_
