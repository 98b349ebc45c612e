// Exports a TorchProgram or a scripted module. "onnxport/torch.h" includes this header and makes a TorchProgram of any
// module or callable. Include this header alone if you have a TorchProgram: it does not include most of LibTorch. Link
// //:onnxport_torch.
#ifndef ONNXPORT_TORCH_EXPORT_H_
#define ONNXPORT_TORCH_EXPORT_H_

#include <ATen/core/ivalue.h>

#include <optional>
#include <string>
#include <vector>

#include "onnxport/export.h"
#include "onnxport/torch_program.h"

// Declared in "torch/csrc/jit/api/module.h".
namespace torch::jit {
struct Module;
}

namespace onnxport {

// `examples`: one for each argument: a tensor, a number, or a tuple, list or dict of them. The tensors in them are the
// inputs of the model, in order. Numbers and texts are fixed. `options.inputs` describe the first of the tensors, in
// order: the name, and the free axes (Sym). By default the inputs are called `input`, or `input_0` and so on. Inputs in
// containers are named after their place: `input_1.0.key`.
//
// Outputs: a single one is `output`. Those of a tuple or struct are `output_0` and so on. Those of a dict have its
// keys.
//
// With free axes the program is run at several sizes, with values of the examples. These sizes are those of the
// examples, of `others`, the bounds of Dim::Between (up to 4096), and some around those of the examples. Numbers that
// the program computes from sizes become computations of the model. If the program makes other calls at other sizes,
// the export fails (kCannotExport) and says where. A free axis is assumed to be neither 0 nor 1, unless an example or a
// bound has that size.
//
// Without free axes the program is run twice, with other values in the second run. If it reads a number from memory
// (x.item()), the number would become a constant, so the export is refused.
//
// `others`: further sets of examples with the same arguments. Their tensors may have other values, and other sizes in
// named axes. Export(net, {a}, options, {{b}, {c}}).
//
// Fails with kCannotExport also if the program throws; the Report has the exception's text. Fails with kUsage if
// examples and options do not fit the program, or if the program itself exports.
//
// `options.memory_budget` is ignored: the program's tensors are its own, and the export does not limit them.
using ExampleSets = std::vector<std::vector<c10::IValue>>;
Result<Model> ExportProgram(const TorchProgram& program, std::vector<c10::IValue> examples,
                            const ExportOptions& options = {}, const ExampleSets& others = {});

// Exports a scripted or traced module, with its control flow. The module is not run. The options are those for a file
// (export.h). The examples give the types of inputs that options.inputs do not name. Numbers, texts and None are fixed.
Result<Model> ExportScript(const torch::jit::Module& module, const std::vector<c10::IValue>& examples,
                           const ExportOptions& options = {});

// How a model is compared with its program.
struct VerifyOptions {
  // The program that runs ONNX Runtime: exporter-onnxruntime of a release, of the package for C++, or of bazel build
  // @onnxport//:exporter-onnxruntime. Empty: the one that the environment variable ONNXPORT_ONNXRUNTIME names, else
  // `exporter-onnxruntime` in the folder of the running program or on PATH.
  std::string runner = {};
  // The library of ONNX Runtime. Empty: the one that ONNXPORT_ONNXRUNTIME_LIBRARY names, else the one of the system or
  // of Python's package.
  std::string onnxruntime = {};
  // |actual - expected| <= absolute + relative * |expected|. Nothing: by the dtype, 1e-5 and 1e-3 for float32.
  std::optional<double> absolute = {};
  std::optional<double> relative = {};
};

// Runs the program and the model with the same examples and compares the results. ONNX Runtime runs the model in a
// process of its own. Free axes may have any size in the examples. Returns an entry, "output_0: ...", for each output
// that differs in dtype, shape or values; the list is empty if they agree. Fails with kUsage if the runner cannot be
// started or if the examples are no inputs of the model. Fails with kCannotExport if ONNX Runtime does not run the
// model, or if the program throws. A program that draws random numbers differs.
Result<std::vector<std::string>> VerifyProgram(const TorchProgram& program, const Model& model,
                                               const std::vector<c10::IValue>& examples,
                                               const VerifyOptions& options = {});

}  // namespace onnxport

#endif  // ONNXPORT_TORCH_EXPORT_H_
