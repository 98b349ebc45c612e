// Exports of a TorchProgram and of a scripted module. Included by "onnxport/torch.h", which makes a TorchProgram of any
// module or callable; a source that has one may include this alone, which leaves the bulk of LibTorch's headers out.
// Link //:onnxport_torch.
#ifndef ONNXPORT_TORCH_EXPORT_H_
#define ONNXPORT_TORCH_EXPORT_H_

#include <ATen/core/ivalue.h>

#include <optional>
#include <string>
#include <vector>

#include "onnxport/export.h"
#include "onnxport/torch_program.h"

// "torch/csrc/jit/api/module.h" has it.
namespace torch::jit {
struct Module;
}

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

}  // namespace onnxport

#endif  // ONNXPORT_TORCH_EXPORT_H_
