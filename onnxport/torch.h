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
#include <variant>
#include <vector>

#include "onnxport/export.h"
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

// Whether this thread is inside of an export: for code of a model that should then do something else.
bool IsExporting();

// Of a node: floats are float32 there.
using CustomAttribute =
    std::variant<int64_t, double, std::string, std::vector<int64_t>, std::vector<double>, std::vector<std::string>>;
using CustomAttributes = std::vector<std::pair<std::string, CustomAttribute>>;

// Gives `run(inputs)`. While this thread exports, the model has in its place one node `op` of `domain` ("" for ONNX's
// own), with these inputs (an undefined tensor is one that is left out) and attributes; what `run` calls is not seen.
//
//   y = onnxport::Custom("com.example", "Scale", {{"factor", 2.0}}, {x},
//                        [](const std::vector<torch::Tensor>& inputs) { return my_scale(inputs[0], 2.0); });
//
// The results have the dtypes and sizes that `run` gave; sizes that differ with those of the inputs are computed of
// them, as other numbers are. `run` gives new tensors and writes to none of its inputs (else kCannotExport). Where a
// schema describes the node, it is checked against it. The model imports version 1 of the domain, or the one of
// ExportOptions::custom_nodes.
using CustomRun = std::function<std::vector<torch::Tensor>(const std::vector<torch::Tensor>& inputs)>;
std::vector<torch::Tensor> CustomTensors(const std::string& domain, const std::string& op,
                                         const CustomAttributes& attributes, const std::vector<torch::Tensor>& inputs,
                                         const CustomRun& run);

// The same, for a function of one result and for one of several.
template <typename Run>
auto Custom(const std::string& domain, const std::string& op, const CustomAttributes& attributes,
            const std::vector<torch::Tensor>& inputs, Run&& run) {
  if constexpr (std::is_convertible_v<std::invoke_result_t<Run, const std::vector<torch::Tensor>&>, torch::Tensor>) {
    return CustomTensors(
               domain, op, attributes, inputs,
               [&](const std::vector<torch::Tensor>& given) { return std::vector<torch::Tensor>{run(given)}; })
        .at(0);
  } else {
    return CustomTensors(domain, op, attributes, inputs, std::forward<Run>(run));
  }
}

}  // namespace onnxport

#endif  // ONNXPORT_TORCH_H_
