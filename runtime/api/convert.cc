#include "runtime/api/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/api/border/border.h"
#include "runtime/api/model_data.h"
#include "runtime/api/model_properties.h"
#include "runtime/api/options/custom_nodes.h"
#include "runtime/api/options/input_values.h"
#include "runtime/api/options/lowering_options.h"
#include "runtime/api/options/target_options.h"
#include "runtime/api/weights.h"
#include "runtime/base/error.h"
#include "runtime/base/text.h"
#include "runtime/inputs/outputs.h"
#include "runtime/lowering/build/complex.h"
#include "runtime/model/functions/make_functions.h"
#include "runtime/model/passes/passes.h"

namespace onnxport {
namespace {

// Says which stage begins, and notes how long the one before it took.
class Stages {
 public:
  explicit Stages(const Progress& progress) : progress_(progress) {}

  void Begin(std::string_view stage) {
    End();
    name_ = stage;
    if (progress_) CallUser("progress callback", progress_, stage, 0, 0);
    start_ = Clock::now();
  }
  std::vector<Model::Stage> Finish() {
    End();
    return std::move(done_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  void End() {
    if (!name_.empty()) done_.push_back({name_, Clock::now() - start_});
  }

  const Progress& progress_;
  std::string name_;
  Clock::time_point start_;
  std::vector<Model::Stage> done_;
};

std::vector<Port> PortsOf(const ir::Graph& graph, const std::vector<ir::Port>& ports) {
  std::vector<Port> found;
  for (const ir::Port& port : ports) {
    const ir::Value& value = graph.value(*port.value.value());
    Port& made = found.emplace_back();
    made.name = value.name;
    made.dtype = value.dtype;
    made.sequence = value.kind == ir::ValueKind::kSequence;
    if (!value.dims) continue;
    made.dims.emplace();
    for (const ir::Dim& dim : *value.dims) made.dims->push_back(DimOf(dim));
  }
  return found;
}

// By the names that the passes gave.
std::vector<Model::State> StateOf(const std::vector<trace::StatePair>& pairs, const Model::Data& model) {
  std::vector<Model::State> found;
  for (const trace::StatePair& pair : pairs) {
    found.push_back({.input = model.inputs.at(pair.input).name,
                     .output = model.outputs.at(pair.output).name,
                     .weight = pair.weight ? pair.name : ""});
  }
  return found;
}

std::string StateRemark(const std::vector<Model::State>& state) {
  constexpr size_t kMostNamed = 10;  // the model's report has all of them
  std::string names;
  for (size_t i = 0; i < std::min(state.size(), kMostNamed); ++i)
    names += fmt::format("{}'{}' ('{}')", names.empty() ? "" : ", ", state[i].input, state[i].output);
  if (state.size() > kMostNamed) names += fmt::format(" and {} more", state.size() - kMostNamed);
  return "what the program writes to is an input, and its new value an output, to be given to the next run: " + names;
}

// A remark, not an error: whoever exports a folder of models with one set of options has small ones among them.
constexpr const char* kNoFunctions =
    "the model has no functions: the file names no module with a class and more than one node";

// Throws Error where the options do not take the program's complex inputs and outputs; else says what the model has
// instead.
std::vector<std::string> ComplexRemarks(const ir::Graph& source, const ExportOptions& options) {
  std::vector<std::string> remarks;
  std::vector<Diagnostic> refused;
  const auto look = [&](std::string_view what, std::string_view way_out, const std::vector<ir::Port>& ports) {
    for (const ir::Port& port : ports) {
      const ir::ValueId* id = port.value.value();
      if (id == nullptr || !ir::IsComplex(source.value(*id).dtype)) continue;
      const std::string name = fmt::format("{} `{}`", what, port.name);
      // All ports are looked at before anything is thrown, so that one run names each that has to change.
      if (options.complex != ComplexTensors::kAsReal) {
        refused.push_back(
            {.code = Code::kNoComplexForm,
             .reason = fmt::format("{}: ONNX has no complex {}s here; {}, or export with <<complex: as-real>>", name,
                                   what, way_out)});
      } else if (OpsetOf(options) < ir::kComplexOpset) {
        refused.push_back({.code = Code::kNotAtThisOpset,
                           .reason = fmt::format("{}: complex {}s need opset {}", name, what, ir::kComplexOpset)});
      } else {
        remarks.push_back(
            fmt::format("{} is complex; the model has its real and imaginary part as a last axis of 2", name));
      }
    }
  };
  look("input", "take torch.view_as_complex of a real one", source.inputs);
  look("output", "return torch.view_as_real of it", source.outputs);
  if (!refused.empty()) {
    throw Error(Report(ErrorKind::kCannotExport, std::move(refused),
                       fmt::format("the model cannot be exported at opset {}", OpsetOf(options))));
  }
  return remarks;
}

// Remarks of one line, with names that come from a file.
void Tell(const std::vector<std::string>& remarks, Model::Data* data) {
  for (const std::string& remark : remarks) data->remarks.push_back(VisibleLine(remark));
}

// Error (kUsage): integers that are computed of weights cannot be computed again when a run gives others.
void CheckFewerBits(const ExportOptions& options) {
  if (!options.weights_as_inputs && !options.keep_initializers_as_inputs) return;
  const bool unpacks = std::ranges::find(options.keep, "DequantizeLinear") != options.keep.end();
  if (!options.weights_as && !unpacks) return;
  throw Error(Code::kOptionsConflict,
              "weights are either inputs of the model (<<weights_as_inputs>>, "
              "<<keep_initializers_as_inputs>>) or stored in fewer bits (<<weights_as>>, "
              "or `DequantizeLinear` in <<keep>>)");
}

// Error (kUsage): names of what stays, where nothing changes.
void CheckWhatStays(const ExportOptions& options) {
  if (!options.weights_keep.empty() && !options.weights_as)
    throw Error(Code::kOptionsConflict, "<<weights_keep>> goes with <<weights_as>>, which is not there");
  if (!options.float32.empty() && !options.compute_as)
    throw Error(Code::kOptionsConflict, "<<float32>> goes with <<compute_as>>, which is not there");
}

std::optional<passes::Quantization> QuantizationOf(const ExportOptions& options) {
  if (!options.weights_as) return std::nullopt;
  return passes::Quantization{.as = *options.weights_as, .keep = options.weights_keep};
}

std::optional<passes::HalfPrecision> HalfPrecisionOf(const ExportOptions& options) {
  if (!options.compute_as) return std::nullopt;
  return passes::HalfPrecision{.as = *options.compute_as, .float32 = options.float32};
}

}  // namespace

// The stages, in an order that most of them need:
//
// 1. Options are checked before anything is read: a typing mistake should not cost the minutes of a large file.
// 2. Complex inputs and outputs are refused after tracing, which says what the outputs are.
// 3. State is marked before the passes, which need to know the parameters. Passes give the names, last.
// 4. Inputs that are weights are settled after the passes, because only then the unused ones are known.
// 5. The target is checked on the graph that is written, so after all passes and with its names.
// 6. Functions are made from the finished graph: they are what its nodes have in common.
Model Convert(const std::function<TraceableProgram()>& read, const ExportOptions& options) {
  CheckFewerBits(options);
  CheckWhatStays(options);
  passes::Options simplification = {.disabled = options.disabled_passes,
                                    .naming = {.input_names = options.input_names,
                                               .output_names = options.output_names,
                                               .parameter_names = options.parameter_names},
                                    .quantization = QuantizationOf(options),
                                    .half_precision = HalfPrecisionOf(options),
                                    .kept = options.keep,
                                    .domains = options.domains};
  passes::Check(simplification, OpsetOf(options));
  if (options.functions) functions::CheckOpset(OpsetOf(options));
  CheckTargetName(options);
  inputs::Check(options.outputs);
  Stages stages(options.progress);
  stages.Begin("read");
  TraceableProgram program = read();
  stages.Begin("trace");
  trace::Traced traced = program.trace();
  const std::vector<std::string> complex_remarks = ComplexRemarks(traced.source, options);
  auto data = std::make_unique<Model::Data>();
  data->graph = std::move(traced.onnx);
  // In the order of the stages, so that they read as the export went.
  data->remarks = std::move(program.remarks);
  data->warnings = std::move(program.warnings);
  Tell(traced.remarks, data.get());
  Tell(complex_remarks, data.get());
  // From here on only calls and names of values are asked for.
  for (ir::Value& value : traced.source.values) {
    value.dims.reset();
    value.contents.reset();
    value.strides.reset();
  }
  stages.Begin("passes");
  Tell(UnusedMappings(options, traced.source), data.get());
  MarkConstants(program.state, &data->graph);
  simplification.naming.state = std::move(program.state);
  // Weights without elements are inputs by now, behind the program's own: those are not the user's to name.
  simplification.naming.first_weight_input = traced.source.inputs.size();
  passes::WeightReport on_weights = passes::Run(&data->graph, simplification);
  Tell(on_weights.remarks, data.get());
  data->lost = std::move(on_weights.lost);
  SettleWeights(options, traced.source.inputs.size(), &data->graph, &data->remarks);
  std::ranges::move(inputs::ApplyOutputs(&data->graph, options.outputs, AxisNamesOf(options.inputs)),
                    std::back_inserter(data->remarks));
  if (data->graph.outputs.empty()) {
    throw Error(Code::kBadOutput,
                fmt::format("{} returns nothing that an ONNX model can give: return at least one tensor",
                            program.source->name()));
  }
  CheckTarget(options, data->graph, &data->remarks);
  data->inputs = PortsOf(data->graph, data->graph.inputs);
  data->outputs = PortsOf(data->graph, data->graph.outputs);
  data->state = StateOf(traced.state, *data);
  if (!data->state.empty()) Tell({StateRemark(data->state)}, data.get());
  if (options.functions) {
    data->modular =
        functions::MakeFunctions(data->graph, {.classes = *options.functions, .inputs = traced.source.inputs.size()});
    if (data->modular->functions.empty()) data->remarks.emplace_back(kNoFunctions);
  }
  // From here on the program is only kept: functions and properties are made of it as it was lowered.
  data->calls = std::move(traced.source);
  data->metadata = options.metadata;
  data->state_as_inputs = options.keep_initializers_as_inputs;
  data->properties = ModelProperties(data->graph, data->calls, data->state, program.identity);
  data->source = std::move(program.source);
  // Weights are read when the model is saved, perhaps long after: these files must not be written over until then.
  if (options.weights) data->also_read.push_back(*options.weights);
  for (const OtherTrace& trace : options.other_traces) data->also_read.push_back(trace.source);
  data->memory_budget = options.memory_budget;
  data->remarks_of_export = data->remarks.size();
  data->stages = stages.Finish();
  return Model(std::move(data));
}

}  // namespace onnxport
