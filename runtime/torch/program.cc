// Exports a program of LibTorch. A run on the examples gives a graph of its calls; from there on all goes as for a
// .pt2. Unlike a file, the program can run again. First it runs without values, which is cheap. If sizes that LibTorch
// reported turn out to be wrong, it runs with values. At last it may run to find the places of refused calls.
#include <fmt/format.h>

#include <map>
#include <optional>
#include <utility>

#include "onnxport/text.h"
#include "onnxport/torch_custom.h"
#include "onnxport/torch_export.h"
#include "onnxport/torch_meta.h"
#include "runtime/api/border/border.h"
#include "runtime/api/convert.h"
#include "runtime/api/options/lowering_options.h"
#include "runtime/api/options/target_options.h"
#include "runtime/api/weights.h"
#include "runtime/archive/byte_source.h"
#include "runtime/base/error.h"
#include "runtime/base/interruption.h"
#include "runtime/sources/pt2/replay/replay.h"
#include "runtime/sources/torch/examples.h"
#include "runtime/sources/torch/interceptor.h"
#include "runtime/sources/torch/run_program.h"
#include "runtime/trace/walk.h"

namespace onnxport {
namespace {

using torch_export::Calls;
using torch_export::FurtherRuns;
using torch_export::Run;

// Compares the known sizes of a result with those in each run. Sets `differs` if a size is another.
void CheckSizes(const std::vector<Run>& runs, const ir::Node& call, ir::ValueId id, const ir::Value& known,
                bool* differs) {
  for (const Run& run : runs) {
    if (!known.dims || static_cast<size_t>(id) >= run.graph.values.size()) return;
    const std::map<std::string, ir::Dim> numbers(run.sizes.begin(), run.sizes.end());
    const ir::Dims& seen = *run.graph.value(id).dims;
    for (size_t axis = 0; axis < std::min(seen.size(), known.dims->size()); ++axis) {
      const ir::Dim size = (*known.dims)[axis].Substitute(numbers);
      if (!size.is_number() || size == seen[axis]) continue;
      *differs = true;
      throw Error(
          Code::kTracesDiffer,
          fmt::format("the axes cannot be free: axis {} of the result of {} would be {} (that is {} in one run), but "
                      "was {} there; a number was computed in a way that the runs do not tell",
                      axis, call.op, (*known.dims)[axis].ToString(), size.number(), seen[axis].ToString()));
    }
  }
}

std::vector<std::string> StateNames(const TorchProgram& program) {
  std::vector<std::string> names;
  for (const auto* tensors : {&program.parameters, &program.buffers})
    for (const auto& [name, _] : *tensors) names.push_back(name);
  return names;
}

Model ExportCalls(const TorchProgram& program, std::vector<c10::IValue> values, const ExampleSets& others,
                  const ExportOptions& options) {
  // The outer recorder would record the inner export's runs as calls of the program.
  if (torch_export::RecorderOfThread() != nullptr) {
    throw Error(ErrorKind::kUsage, "an export within an export: the program that is exported calls onnxport::Export");
  }
  const Interruption interruption(options.stop, options.deadline);
  const torch_export::Examples examples(std::move(values), others, options.inputs);
  const torch_export::Runnable runnable = {program, examples, options.weights || options.weights_as_inputs};
  const lowering::Options lowering = LoweringOptions(options);
  Calls calls;
  std::vector<std::string> remarks;
  const auto run = [&](FurtherRuns further) {
    calls = torch_export::RunProgram(runnable, further);
    remarks = calls.remarks;
    // Done after each run, as the graph is new.
    ReplaceWeights(options, &calls.graph, &remarks);
    for (std::string& remark : remarks) remark = VisibleName(remark);
  };
  bool sizes_differ = false;
  const auto observer = [&](const ir::Node& call, ir::ValueId id, const ir::Value& known) {
    CheckSizes(calls.runs, call, id, known, &sizes_differ);
  };
  const auto trace_calls = [&] {
    const auto walk = [&](int opset, const trace::ProgramState& state) {
      return pt2::Replay(calls.graph, opset, lowering, observer, lowering::FreeSizes::kAsExported,
                         {.state = state, .constants_made_anew = true});
    };
    return trace::Trace(walk, OpsetOf(options), {.keep_state = options.state_as_io});
  };
  // Sizes that LibTorch reports without values are believed until ONNX's inference contradicts. Then the program runs
  // again with values. If a contradiction remains, the mistake is ours, and we report it.
  const auto trace_right = [&] {
    try {
      return trace_calls();
    } catch (const Error&) {
      if (!sizes_differ || !calls.without_memory) throw;
    }
    // Without values, LibTorch reported a wrong size.
    run(FurtherRuns::kWithValues);
    return trace_calls();
  };
  // Finding the place of a call needs a backtrace for each call. So another run looks for places only if there is
  // something to report.
  const auto trace = [&] {
    try {
      return trace_right();
    } catch (const Error& error) {
      throw torch_export::WithPlaces(error, runnable);
    }
  };
  const auto read = [&] {
    run(FurtherRuns::kWithoutMemory);
    // There is no file: weights come from the tensors of the program.
    return TraceableProgram{.source = archive::OpenBytes("the program", {}, nullptr),
                            .remarks = remarks,
                            .trace = trace,
                            .identity = {},
                            .state = StateNames(program)};
  };
  return Convert(read, options);
}

}  // namespace

Result<Model> ExportProgram(const TorchProgram& program, std::vector<c10::IValue> examples,
                            const ExportOptions& options, const ExampleSets& others) {
  return AtBorder([&] { return ExportCalls(program, std::move(examples), others, options); });
}

struct MetaTensors::Guard {
  torch_export::MadeOnMeta made;
};
MetaTensors::MetaTensors() : guard_(std::make_unique<Guard>()) {}
MetaTensors::~MetaTensors() = default;

bool IsExporting() { return torch_export::RecorderOfThread() != nullptr; }

std::vector<at::Tensor> CustomTensors(const std::string& domain, const std::string& op,
                                      const CustomAttributes& attributes, const std::vector<at::Tensor>& inputs,
                                      const CustomRun& run) {
  torch_export::RunRecorder* recorder = torch_export::RecorderOfThread();
  // Outside an export, the operator just runs its C++ code.
  if (recorder == nullptr) return run(inputs);
  return recorder->Custom({.domain = domain, .op = op, .attributes = attributes}, inputs, run);
}

}  // namespace onnxport
