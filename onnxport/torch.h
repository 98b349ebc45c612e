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
// The program is run with the examples, in the mode in which it is, and its calls of operators are what is exported.
// Parameters, buffers, mode and random state are left as they were found. Weights are not copied: they are read from
// their tensors' memory when the model is written, and the Model keeps these alive.
#ifndef ONNXPORT_TORCH_H_
#define ONNXPORT_TORCH_H_

#include <torch/torch.h>

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "onnxport/export.h"
#include "onnxport/torch_custom.h"
#include "onnxport/torch_program.h"

namespace onnxport {

// A program whose calls are exported: arguments in, tensors out, and what its tensors are called.
struct TorchProgram {
  std::function<c10::IValue(const std::vector<c10::IValue>& arguments)> run;
  std::vector<std::pair<std::string, torch::Tensor>> parameters = {};
  std::vector<std::pair<std::string, torch::Tensor>> buffers = {};
};

// `examples`: one for each argument: a tensor, a number, or a tuple, list or dict of them. The tensors in them are the
// inputs of the model, in order; numbers and texts are fixed. `options.inputs` describe the first of the tensors, in
// order: name, and the axes that are free (Sym). Without them the inputs are called `input`, or `input_0` and so on,
// those in containers after their place: `input_1.0.key`.
//
// Outputs: a lone one is `output`, those of a tuple or struct are `output_0` and so on, those of a dict have their
// keys.
//
// With free axes the program is run at several sizes, with tensors that have values of the examples. Numbers that it
// computes of sizes become computations of the model; where it does other things at other sizes, the export fails
// (kCannotExport) and says where. A free axis is taken to be neither 0 nor 1.
//
// `options.memory_budget` is not looked at: the program's tensors are its own, and a run of it takes what it takes.
Result<Model> ExportProgram(const TorchProgram& program, std::vector<c10::IValue> examples,
                            const ExportOptions& options = {});

// A scripted or traced module, with its control flow. It is not run: `options` are as for a file of it (export.h), and
// the examples say the type of those inputs that options.inputs do not name.
Result<Model> ExportScript(const torch::jit::Module& module, const std::vector<c10::IValue>& examples,
                           const ExportOptions& options = {});

// `net`: a module holder (torch::nn::Linear), a module, torch::nn::AnyModule, torch::jit::Module, or anything that can
// be called with tensors. Arguments of `forward` that the examples leave out are empty tensors and optionals.
template <typename Net>
Result<Model> Export(Net&& net, std::vector<c10::IValue> examples, const ExportOptions& options = {}) {
  using Type = std::remove_cvref_t<Net>;
  if constexpr (std::is_same_v<Type, torch::jit::Module>) {
    return ExportScript(net, examples, options);
  } else if constexpr (torch_program::HasModule<Type>) {
    TorchProgram program = {.run = torch_program::RunnerOf(net)};
    const torch::nn::Module& module = torch_program::ModuleOf(net);
    for (const auto& item : module.named_parameters()) program.parameters.emplace_back(item.key(), item.value());
    for (const auto& item : module.named_buffers()) program.buffers.emplace_back(item.key(), item.value());
    return ExportProgram(program, std::move(examples), options);
  } else {
    return ExportProgram({.run = torch_program::RunnerOf(net)}, std::move(examples), options);
  }
}

// Tensors that this thread makes while it lives are on LibTorch's meta device, where no device is asked for: they have
// types and no memory. So a module that is larger than memory can be made and exported, with weights of a file or as
// inputs (ExportOptions::weights, ::weights_as_inputs).
//
//   std::optional<Net> net;
//   {
//     const onnxport::MetaTensors no_memory;
//     net.emplace();
//   }
class MetaTensors {
 public:
  MetaTensors();
  ~MetaTensors();
  MetaTensors(const MetaTensors&) = delete;

 private:
  struct Guard;
  std::unique_ptr<Guard> guard_;
};

}  // namespace onnxport

#endif  // ONNXPORT_TORCH_H_
