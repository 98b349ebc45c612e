// Exports PyTorch models to ONNX, without PyTorch.
//
//   #include "onnxport/export.h"
//
//   onnxport::ExportOptions options{.opset = 18};
//   options.inputs.push_back(onnxport::TensorInput("x", onnxport::kFloat32, {onnxport::Sym("batch"), 3, 224, 224}));
//   auto model = onnxport::Export(onnxport::Source::File("model.pt2"), options);
//   if (!model) {
//     std::cerr << model.error().Text() << "\n";
//     return 1;
//   }
//   if (auto saved = model->Save("model.onnx"); !saved) ...
//
// No exception leaves the library: whatever the input, a function returns its value or a Report. Several threads may
// call everything at a time, each with its own Model. The same export gives the same bytes, however it is made.
#ifndef ONNXPORT_EXPORT_H_
#define ONNXPORT_EXPORT_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "onnxport/custom_nodes.h"
#include "onnxport/diagnostic.h"
#include "onnxport/expected.h"
#include "onnxport/input.h"
#include "onnxport/model.h"
#include "onnxport/numbers.h"
#include "onnxport/output.h"
#include "onnxport/source.h"

namespace onnxport {

// Every runtime since early 2023 reads opset 18. It has the reductions and pooling attributes that older ones lack.
// Newer opsets add little that matters to most models, and deployed runtimes are slow to follow.
inline constexpr int kDefaultOpset = 18;

// The sizes that named axes had when a model was traced: {{"batch", 2}, {"seq", 10}}.
using AxisSizes = std::map<std::string, int64_t>;

// Another trace (torch.jit.trace) of the model that is exported, made with inputs of other sizes.
struct OtherTrace {
  Source source;
  AxisSizes sizes = {};  // needed where the file has no recorded inputs
};

// The handling of complex inputs and outputs, which no runtime of ONNX takes.
enum class ComplexTensors {
  kRefused,
  kAsReal,  // their parts, as torch.view_as_real gives them: a last axis of 2, with a remark. From opset 13 on
};

struct ExportOptions {
  // One of `SupportedOpsets()` (operators.h). The file has exactly this opset, with the IR version of its release.
  // Nothing: kDefaultOpset, or the newest opset that the `target` takes.
  std::optional<int> opset = {};

  std::vector<Input> inputs = {};
  std::vector<Output> outputs = {};

  // Names of the first ones, in order; the others keep the model's own names.
  std::vector<std::string> input_names = {};
  std::vector<std::string> output_names = {};
  // Names of the first parameters and buffers that the program uses: parameters first, each in the order of the
  // program's modules. "..." as the last one counts on from the name before: {"learned_0", "..."}. A weight that a pass
  // computes has the new name in its own: "learned_0.T". Constants of the code and quantized weights keep their names.
  std::vector<std::string> parameter_names = {};

  // The runtime that will execute the model, one of `ListTargets()` (operators.h): "ort-cpu". Each thing that would not
  // run there (an operator or a dtype that it lacks, free axes, integers that are too large) is a diagnostic with its
  // places (kCannotExport). With `target_notes` it is a remark. Otherwise the model is the same as without a target.
  // Attributes and ranks are not checked.
  std::string target = {};
  bool target_notes = false;

  // Operators that become nodes of the user's own domain, without a spec.
  std::vector<OperatorMapping> map = {};
  // Every operator without a spec becomes a node of the same name, in the domain of its namespace: `my_ops::relu6`
  // becomes `my_ops.relu6`. PyTorch calls this ONNX_FALLTHROUGH.
  bool fallthrough = false;
  // The versions of domains that the model imports. A domain that is not listed has version 1, unless a schema of its
  // nodes says another one.
  std::map<std::string, int> domain_versions = {};

  // Other domains whose operators the model may have: {"com.microsoft"}. Such an operator is used where a spec has a
  // form with it or a pass makes it. For example, a pass makes GroupQueryAttention from an Attention that is kept. A
  // domain without a known operator is refused (kUsage).
  std::vector<std::string> domains = {};

  // Larger operators of ONNX that the model has wherever they are equivalent, for compilers that look for them: names
  // of `ListKeptOperators()` (operators.h), such as "Attention". By default the model has the smaller operators. An
  // operator that the opset does not have is refused (kUsage). If nothing became the operator, a remark says why.
  std::vector<std::string> keep = {};

  // Keeps dropout and batch norm that are in training mode (torch.onnx: TrainingMode.PRESERVE). Dropout becomes ONNX's
  // operator, and batch norm the operators that compute it. Otherwise they are refused (kCannotExport).
  bool training = false;

  ComplexTensors complex = ComplexTensors::kRefused;

  // The elements of parameters and buffers are read from this source, in place of the program's own. It is a
  // safetensors file, a state_dict that torch.save wrote, or a module that torch::save wrote in C++. It must have all
  // of them, by their names and with their dtypes and shapes (else kCannotExport). Model::remarks lists the tensors in
  // it that are not used. Weights are streamed.
  std::optional<Source> weights = {};
  // Parameters and buffers become inputs of the model, after its own, under their names (torch.onnx:
  // export_params=False). Constants of the program's code and quantized weights stay. A program whose weights have no
  // elements (fake or meta tensors) exports only with this option or with `weights`.
  bool weights_as_inputs = false;

  // Parameters and buffers are inputs of the model, too, with the weights as defaults. Opsets below 9 always have these
  // inputs, and inputs for constants as well. Values that were computed from weights during the export stay: the input
  // of a folded weight holds the folded value, under its name. Integers that shapes may depend on do not become inputs.
  // Model::inputs lists only the other inputs.
  bool keep_initializers_as_inputs = false;

  // Stores weights in fewer bits (numbers.h). Not together with weights that are inputs.
  std::optional<WeightsAs> weights_as = {};
  // Weights that stay floats, and modules whose weights all do: patterns in which * matches any text, and ? any letter
  // ("lm_head", "layers.*.norm"). A pattern without a match in the model is refused (kUsage).
  std::vector<std::string> weights_keep = {};

  // State becomes inputs and outputs. State is each buffer that the program writes to: a static cache of keys and
  // values, a counter, running statistics. Each attribute of a TorchScript module that its method sets is state, too.
  // Each gets an input after the program's own inputs, under its name, and an output for the new value after the
  // program's own outputs: "cache.k" and "cache.k.next". The caller passes each output as the input of the next run.
  // The first run takes the value that the program has. An input that the program writes to gets such an output, too.
  //
  // Model::state has the pairs. The file has them as `onnxport.state.cache.k` = `cache.k.next`. State is refused
  // (kCannotExport) if two parts of it share memory, if it is no tensor, or if it changes its shape or dtype. Without
  // the option new values are dropped, and Model::remarks says so.
  bool state_as_io = false;

  // The model computes in 16 bits (numbers.h).
  std::optional<ComputeAs> compute_as = {};
  // Operators of ONNX and modules that stay in float32: patterns in which * matches any text, and ? any letter ("Gelu",
  // "layers.0", "*.head"). A pattern without a match is refused (kUsage).
  std::vector<std::string> float32 = {};

  // Modules become functions of the model (torch.onnx: export_modules_as_functions). A class becomes one function where
  // its nodes are the same. Its weights are inputs of the function, and its own modules are functions, too. An empty
  // list stands for all modules with more than one node. Else it names the classes: "torch.nn.modules.linear.Linear" or
  // "Linear". The nodes that run are the same. Needs opset 15 (kUsage), and a file that names the modules' classes; if
  // it does not, Model::remarks says so.
  std::optional<std::vector<std::string>> functions = {};

  // The model has data about its origin that no runtime needs:
  //
  // - a node: the call that it came from, with its modules and source lines. From opset 21 on (IR version 10) these are
  //   properties under the keys of torch.onnx ("namespace", "pkg.torch.onnx.fx_node" ...), before that its
  //   documentation.
  // - the model: `onnxport.source`, which identifies the file, `onnxport.axes`, and `onnxport.weights`, which says what
  //   weights are made of.
  //
  // Without the last one, ApplyWeights (apply_weights.h) replaces weights of the program's own names, and no others.
  //
  // Source lines name files as the exported file does, wherever it was made. Types of all values are in the model
  // either way.
  bool metadata = true;

  // Simplifications to leave out, named as in `PassNames()` (operators.h).
  std::vector<std::string> disabled_passes = {};

  // For a TorchScript file: `method` is exported. `trust_source` accepts a file with code that PyTorch would run when
  // it loads it (`__setstate__` beyond moving data). The code is interpreted, never run.
  std::string method = "forward";
  bool trust_source = false;

  // For a traced file: more traces of the same model. Axes whose sizes differ between the recorded inputs are then
  // free. They are named by `inputs` or after their input ("x_axis1"). Integers that differ in the code, because Python
  // had computed them from sizes, are computed from sizes in the model. Two traces identify a size, a multiple of one,
  // and the sum, difference and product of two. A number that they leave open is refused (kCannotExport) and needs a
  // third trace. `Model::remarks` says how each was understood. All traces must make the same calls with the same
  // weights.
  std::vector<OtherTrace> other_traces = {};
  AxisSizes traced_sizes = {};  // of the model's own trace, where it has no recorded inputs

  Progress progress = {};

  // Ends the export with kCancelled or kDeadline, within milliseconds. Checked at every traced call, interpreted step,
  // block that is read, and pass.
  std::stop_token stop = {};
  std::optional<std::chrono::steady_clock::time_point> deadline = {};

  // The most memory, in bytes, for the contents that the file describes; beyond it the export fails with kMemoryBudget.
  // The program itself takes up to 0.2 GiB more. Nothing: 128 MiB and 32 bytes for each byte of the file, but at least
  // 256 MiB. Weights are streamed and do not count.
  std::optional<uint64_t> memory_budget = {};
};

// Reads the archive and exports it as an ONNX model. Fails with
//   kCannotExport  a diagnostic for every unsupported operator and reason, with its places and the opset that would do
//   kUsage         an option does not fit the model
//   kBadInput      the file is damaged, or neither a `.pt2` nor a TorchScript archive
//   kMemoryBudget, kDeadline, kCancelled
Result<Model> Export(const Source& source, const ExportOptions& options = {});

}  // namespace onnxport

#endif  // ONNXPORT_EXPORT_H_
