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
// No exception leaves the library: whatever the input, a function gives its value or a Report. Everything may be called
// by several threads at a time, each with its own Model; a model has the same bytes however it is made.
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

// Every runtime since early 2023 reads it, and it has the reductions and pooling attributes that older ones lack;
// newer opsets say little that matters to most models, and deployed runtimes are slow to follow.
inline constexpr int kDefaultOpset = 18;

// The sizes that named axes had when a model was traced: {{"batch", 2}, {"seq", 10}}.
using AxisSizes = std::map<std::string, int64_t>;

// Another trace (torch.jit.trace) of the model that is exported, made with inputs of other sizes.
struct OtherTrace {
  Source source;
  AxisSizes sizes = {};  // where the file has no recorded inputs that tell them
};

// What becomes of complex inputs and outputs, which no runtime of ONNX takes.
enum class ComplexTensors {
  kRefused,
  kAsReal,  // their parts, as torch.view_as_real gives them: a last axis of 2; told in a remark. From opset 13 on
};

struct ExportOptions {
  // Of `SupportedOpsets()` (operators.h). The file says exactly this, with the IR version of its release. Nothing:
  // kDefaultOpset, or the newest that the `target` takes.
  std::optional<int> opset = {};

  std::vector<Input> inputs = {};
  std::vector<Output> outputs = {};

  // Of the first ones, in order; the others keep the model's own names.
  std::vector<std::string> input_names = {};
  std::vector<std::string> output_names = {};
  // Of the first parameters and buffers that the program uses: parameters first, each in the order of the program's
  // modules. "..." as the last one counts on from the name before: {"learned_0", "..."}. What a pass makes of a weight
  // has the new name in its own: "learned_0.T". Constants of the code and quantized weights keep theirs.
  std::vector<std::string> parameter_names = {};

  // What is to run the model, of `ListTargets()` (operators.h): "ort-cpu". Of what would not run there (an operator or
  // a dtype that it lacks, free axes, integers that are too large) there is a diagnostic each, with its places
  // (kCannotExport), or with `target_notes` a remark. Else the model is the same as without a target. Attributes and
  // ranks are not looked at.
  std::string target = {};
  bool target_notes = false;

  // Operators that become nodes of a domain of one's own, without a spec.
  std::vector<OperatorMapping> map = {};
  // Every operator without a spec becomes a node of its own name, in the domain of its namespace: `my_ops::relu6`
  // becomes `my_ops.relu6`. PyTorch's ONNX_FALLTHROUGH.
  bool fallthrough = false;
  // The versions of domains that the model imports. A domain that is not here has version 1, unless a schema of its
  // nodes says another one.
  std::map<std::string, int> domain_versions = {};

  // Domains whose operators the model may have beside ONNX's own, where a spec has a form with them or a pass makes
  // one:
  // {"com.microsoft"}; GroupQueryAttention is made of an Attention that is kept. One of which no operator is known is
  // refused (kUsage).
  std::vector<std::string> domains = {};

  // Larger operators of ONNX that the model has wherever they are equivalent, for compilers that look for them: names
  // of `ListKeptOperators()` (operators.h), such as "Attention". By default the model has the smaller operators.
  // An operator that the opset does not have is refused (kUsage). If nothing became the operator, a remark says why.
  std::vector<std::string> keep = {};

  // Dropout and batch norm that the program has in training mode stay in it (torch.onnx: TrainingMode.PRESERVE):
  // dropout as ONNX's operator, batch norm as the operators that compute it. Else they are refused (kCannotExport).
  bool training = false;

  ComplexTensors complex = ComplexTensors::kRefused;

  // Where the elements of parameters and buffers come from in place of the program's own: a safetensors file, or what
  // torch.save(model.state_dict(), path), or torch::save(module, path) in C++, wrote. It must have all of them, by
  // their names and with their types (else kCannotExport); Model::remarks tells what else it has. They are streamed.
  std::optional<Source> weights = {};
  // Parameters and buffers become inputs of the model, behind its own, by their names (torch.onnx:
  // export_params=False). Constants of the program's code and quantized weights stay. A program whose weights have no
  // elements (fake or meta tensors) exports only with one of the two.
  bool weights_as_inputs = false;

  // Parameters and buffers are inputs of the model, too, with the weights as defaults, as opsets below 9 have it
  // anyway; there constants are as well. What was computed of weights while exporting stays: the input for a folded one
  // is what it was folded to, by its name, and integers that shapes may depend on are none. Model::inputs has the
  // others only.
  bool keep_initializers_as_inputs = false;

  // Weights are stored in fewer bits (numbers.h). Not together with weights that are inputs.
  std::optional<WeightsAs> weights_as = {};
  // Weights, or modules with all that is in them, that stay floats: names in which * stands for any text, and ? for any
  // letter ("lm_head", "layers.*.norm"). One that is no name of the model's is refused (kUsage).
  std::vector<std::string> weights_keep = {};

  // State becomes inputs and outputs: each buffer that the program writes to (a static cache of keys and values, a
  // counter, running statistics), and each attribute of a TorchScript module that its method sets, is an input behind
  // the program's own, by its name, and its new value an output behind the program's own: "cache.k" and "cache.k.next".
  // Whoever runs the model gives each output as the input of the next run, and in the first one what the program has
  // there. An input of the program that it writes to has such an output, too. Model::state has the pairs; the file says
  // them as `onnxport.state.cache.k` = `cache.k.next`. Two that share memory, and what is no tensor or changes its
  // shape or dtype, are refused (kCannotExport). Without the option new values are dropped, which Model::remarks tells.
  bool state_as_io = false;

  // Computes in 16 bits (numbers.h).
  std::optional<ComputeAs> compute_as = {};
  // Operators of ONNX and modules that stay in float32: names in which * stands for any text, and ? for any letter
  // ("Gelu", "layers.0", "*.head"). One that nothing has is refused (kUsage).
  std::vector<std::string> float32 = {};

  // Modules become functions of the model, each class once where its nodes are the same, with its weights as inputs and
  // with functions of its own modules (torch.onnx: export_modules_as_functions): all modules with more than one node
  // when the list is empty, or those of the named classes: "torch.nn.modules.linear.Linear" or "Linear". What runs is
  // the same. Needs opset 15 (kUsage), and a file that names the modules' classes; Model::remarks says where none does.
  std::optional<std::vector<std::string>> functions = {};

  // What the model says of its origin, beside what a runtime needs. Every node: the call that it came from, with its
  // modules and source lines, under the keys of torch.onnx ("namespace", "pkg.torch.onnx.fx_node" ...) from opset 21
  // on, where nodes have such keys (IR version 10), below as its documentation. The model: `onnxport.source`, which
  // identifies the file, and `onnxport.axes`. Source lines name files as the file that is exported does, wherever it
  // was made. Types of all values are in the model either way.
  bool metadata = true;

  // Simplifications that are left out, of `PassNames()` (operators.h).
  std::vector<std::string> disabled_passes = {};

  // Of a TorchScript file: the method that is exported, and whether code that PyTorch would run when it loads the file
  // (`__setstate__` beyond moving data) is taken. It is interpreted, never run.
  std::string method = "forward";
  bool trust_source = false;

  // Of a traced file: more traces of the same model. Then axes whose sizes differ between the recorded inputs are free,
  // named by `inputs` or after their input ("x_axis1"), and integers that differ in the code, as Python had made
  // numbers of sizes, are computed of sizes in the model. Two traces tell a size, a multiple of one, and the sum,
  // difference and product of two; a number that they leave open is refused (kCannotExport) and needs a third.
  // `Model::remarks` says what each was taken for. All traces must make the same calls with the same weights.
  std::vector<OtherTrace> other_traces = {};
  AxisSizes traced_sizes = {};  // of the model itself, where it has no recorded inputs

  Progress progress = {};

  // Ends the export with kCancelled or kDeadline, within milliseconds; looked at in every traced call, interpreted
  // step, block that is read, and pass.
  std::stop_token stop = {};
  std::optional<std::chrono::steady_clock::time_point> deadline = {};

  // The most memory that what the file describes may take, in bytes (beside what the program itself takes, below
  // 0.2 GiB); else kMemoryBudget. Nothing: 128 MiB and 32 for each byte of the file, but at least 256 MiB. Weights are
  // streamed and count nothing.
  std::optional<uint64_t> memory_budget = {};
};

// Reads the archive and makes an ONNX model of it. Fails with
//   kCannotExport  a diagnostic for every unsupported operator and reason, with its places and the opset that would do
//   kUsage         an option does not fit the model
//   kBadInput      the file is damaged or no such archive
//   kMemoryBudget, kDeadline, kCancelled
Result<Model> Export(const Source& source, const ExportOptions& options = {});

}  // namespace onnxport

#endif  // ONNXPORT_EXPORT_H_
