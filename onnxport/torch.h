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

#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "onnxport/export.h"
#include "onnxport/torch_custom.h"
#include "onnxport/torch_meta.h"
#include "onnxport/torch_program.h"

namespace onnxport {

// `examples`: one for each argument: a tensor, a number, or a tuple, list or dict of them. The tensors in them are the
// inputs of the model, in order; numbers and texts are fixed. `options.inputs` describe the first of the tensors, in
// order: name, and the axes that are free (Sym). Without them the inputs are called `input`, or `input_0` and so on,
// those in containers after their place: `input_1.0.key`.
//
// Outputs: a lone one is `output`, those of a tuple or struct are `output_0` and so on, those of a dict have their
// keys.
//
// With free axes the program is run at several sizes: those of the examples, those of `others`, the bounds of what
// Dim::Between promises (up to 4096), and some around those of the examples, with values of the examples. Numbers that
// it computes of sizes become computations of the model; where it does other things at other sizes, the export fails
// (kCannotExport) and says where. A free axis is taken to be neither 0 nor 1, where no example and no bound is.
// Without free axes it is run a second time with other values: what it reads from memory would be a constant, and is
// refused.
//
// `others`: further sets of examples: the same arguments, where tensors may have other values, and other sizes in named
// axes. Export(net, {a}, options, {{b}, {c}}).
//
// Fails with kCannotExport also where the program throws; Report has the exception's text. kUsage: examples and options
// do not fit the program, or the program itself exports.
//
// `options.memory_budget` is not looked at: the program's tensors are its own, and a run of it takes what it takes.
using ExampleSets = std::vector<std::vector<c10::IValue>>;
Result<Model> ExportProgram(const TorchProgram& program, std::vector<c10::IValue> examples,
                            const ExportOptions& options = {}, const ExampleSets& others = {});

// A scripted or traced module, with its control flow. It is not run: `options` are as for a file of it (export.h), and
// the examples say the type of those inputs that options.inputs do not name; numbers, texts and None are fixed.
Result<Model> ExportScript(const torch::jit::Module& module, const std::vector<c10::IValue>& examples,
                           const ExportOptions& options = {});

// What is run for `net`: a module holder (torch::nn::Linear), a module, torch::nn::AnyModule, or anything that can be
// called with tensors. It holds `net` by reference.
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

// Of one of these, or of a torch::jit::Module (which takes no `others`). Arguments of `forward` that the examples leave
// out are empty tensors and optionals.
template <typename Net>
Result<Model> Export(Net&& net, std::vector<c10::IValue> examples, const ExportOptions& options = {},
                     const ExampleSets& others = {}) {
  if constexpr (std::is_same_v<std::remove_cvref_t<Net>, torch::jit::Module>) {
    return ExportScript(net, examples, options);
  } else {
    return ExportProgram(ProgramOf(net), std::move(examples), options, others);
  }
}

// How a model is compared with the program that it was made of.
struct VerifyOptions {
  // The program that runs ONNX Runtime (exporter-onnxruntime of a release or of the package for C++, or bazel build
  // @onnxport//:exporter-onnxruntime). Empty: what the environment variable ONNXPORT_ONNXRUNTIME names, else
  // `exporter-onnxruntime` in the folder of the running program or on PATH.
  std::string runner = {};
  // The library of ONNX Runtime. Empty: what ONNXPORT_ONNXRUNTIME_LIBRARY names, else the one of the system or of
  // Python's package.
  std::string onnxruntime = {};
  // |actual - expected| <= absolute + relative * |expected|; nothing: by the dtype, 1e-5 and 1e-3 for float32.
  std::optional<double> absolute = {};
  std::optional<double> relative = {};
};

// Runs the model in ONNX Runtime, a process of its own, and the program, with the same examples, of any sizes of the
// free axes. What differs in dtype, shape or values, an entry for each such output, "output_0: ..."; none: they agree.
// Fails with kUsage where the runner cannot be started or the examples are no inputs of the model, with kCannotExport
// where ONNX Runtime does not run the model or the program throws. A program that draws random numbers differs.
Result<std::vector<std::string>> VerifyProgram(const TorchProgram& program, const Model& model,
                                               const std::vector<c10::IValue>& examples,
                                               const VerifyOptions& options = {});

// Of what Export takes. auto differences = onnxport::Verify(net, *model, {example});
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
