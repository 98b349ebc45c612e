#include "runtime/verify/verify.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "runtime/archive/archive.h"
#include "runtime/base/error.h"
#include "runtime/cli/messages.h"
#include "runtime/verify/bisect/bisect.h"
#include "runtime/verify/inputs/axes.h"
#include "runtime/verify/inputs/npz.h"
#include "runtime/verify/inputs/ports.h"
#include "runtime/verify/inputs/random_input.h"
#include "runtime/verify/inputs/test_data.h"
#include "runtime/verify/ort/client.h"
#include "runtime/verify/program/reference.h"
#include "runtime/verify/report/cannot_compare.h"
#include "runtime/verify/report/report.h"

namespace onnxport::verify {
namespace {

using Tensors = std::vector<ort::Tensor>;

// State that is zeros at first hides mistakes in what reads it.
constexpr size_t kRunsWithState = 3;

struct Run {
  std::string name;  // "batch=2, seq=3"
  Tensors inputs;    // without state
};

// Operators of the user's own; they register themselves.
void LoadLibraries(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    if (dlopen(std::filesystem::absolute(file).c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr) {
      throw Error(ErrorKind::kUsage, fmt::format("--load {}: {}", file, dlerror()));
    }
  }
}

std::vector<Input> FixedInputs(const std::vector<std::string>& texts) {
  std::vector<Input> fixed;
  for (const std::string& text : texts) {
    auto input = ParseInput(text);
    if (!input) throw Error(input.error());
    if (!input->fixed) throw Error(ErrorKind::kUsage, "--input '" + text + "': give a value, for example steps=3");
    fixed.push_back(*std::move(input));
  }
  return fixed;
}

bool IsTorchScript(const std::string& path) {
  const auto archive = archive::Archive::Open(path);
  // By what is in it and not by its name: torch.jit.save takes any ending.
  return std::ranges::any_of(archive->records(), [](const auto& r) { return r.name.ends_with("/constants.pkl"); });
}

struct Program {
  std::unique_ptr<Reference> reference;
  StepwiseReference* steps = nullptr;  // the same one, if it runs step by step
};

Program Open(const cli::VerifyArguments& arguments, const Torch& torch, const Ports& model,
             const std::vector<Input>& fixed) {
  if (arguments.bisect && !model.state.empty()) {
    throw Error(ErrorKind::kUsage, "--bisect: of a model without state; export it without --state-as-io");
  }
  if (!IsTorchScript(arguments.against)) {
    auto reference = torch.open_pt2(arguments.against, model);
    StepwiseReference* steps = reference.get();
    return {std::move(reference), steps};
  }
  if (arguments.bisect) {
    throw Error(ErrorKind::kUsage,
                "--bisect: LibTorch runs a TorchScript file as a whole, without what its calls give; "
                "compare with a .pt2 of the program");
  }
  return {torch.open_script(arguments.against, model, fixed)};
}

// In the model's order.
Run GivenRun(const std::string& file, const std::vector<Port>& inputs) {
  const Tensors arrays = ReadNpz(file);
  Run run{.name = file, .inputs = {}};
  for (const Port& input : inputs) {
    const auto found = std::ranges::find(arrays, input.name, &ort::Tensor::name);
    if (found == arrays.end()) throw Error(ErrorKind::kUsage, fmt::format("{} has no `{}`", file, input.name));
    if (found->dtype != input.dtype) {
      throw Error(ErrorKind::kUsage, fmt::format("{}: `{}` is of {}, the model takes {}", file, input.name,
                                                 ir::Name(found->dtype), ir::Name(input.dtype)));
    }
    run.inputs.push_back(*found);
  }
  return run;
}

std::vector<Run> RandomRuns(const cli::VerifyArguments& arguments, const std::vector<Port>& inputs,
                            const ir::Ranges& ranges, size_t repeats) {
  const auto values = ParseRanges(arguments.ranges);
  for (const auto& [name, range] : values) {
    if (std::ranges::find(inputs, name, &Port::name) == inputs.end()) {
      throw Error(ErrorKind::kUsage, fmt::format("--range '{}': the model has no such input", name));
    }
  }
  std::mt19937_64 random(arguments.seed);
  std::vector<Run> runs;
  for (const Sizes& sizes : SizesOfRuns(inputs, ranges, arguments.sizes)) {
    std::string name;
    for (const auto& [axis, size] : sizes) name += fmt::format("{}{}={}", name.empty() ? "" : ", ", axis, size);
    for (size_t i = 0; i < repeats; ++i) {
      const std::string number = repeats == 1 ? "" : fmt::format("{}run {}", name.empty() ? "" : ", ", i + 1);
      Run& run = runs.emplace_back(Run{.name = name + number, .inputs = {}});
      for (const Port& input : inputs) run.inputs.push_back(RandomInput(input, sizes, values, &random));
    }
  }
  return runs;
}

auto Named(const Tensors& tensors, const std::string& name) {
  return std::ranges::find(tensors, name, &ort::Tensor::name);
}

std::vector<Run> RunsOf(const cli::VerifyArguments& arguments, const Ports& model, const Reference& reference,
                        const Tensors& state) {
  std::vector<Port> given;
  std::ranges::copy_if(model.inputs, std::back_inserter(given),
                       [&](const Port& input) { return Named(state, input.name) == state.end(); });
  const size_t repeats = model.state.empty() ? 1 : kRunsWithState;
  if (!arguments.inputs.empty()) return std::vector<Run>(repeats, GivenRun(arguments.inputs, given));
  return RandomRuns(arguments, given, reference.RangesOf(model.inputs), repeats);
}

// The user's or random values, and the state, in the model's order.
Tensors InputsOf(const Ports& model, const Tensors& given, const Tensors& state) {
  Tensors inputs;
  for (const Port& input : model.inputs) {
    const auto kept = Named(state, input.name);
    inputs.push_back(kept != state.end() ? *kept : *Named(given, input.name));
  }
  return inputs;
}

// Takes the model's new state for the next run.
void Follow(const Ports& model, const Tensors& outputs, Tensors* state) {
  for (const State& pair : model.state) {
    const auto kept = std::ranges::find(*state, pair.input, &ort::Tensor::name);
    if (kept == state->end()) continue;
    *kept = outputs.at(static_cast<size_t>(Find(model.outputs, pair.output) - model.outputs.begin()));
    kept->name = pair.input;
  }
}

// Says what became of each output; those that differ.
std::vector<size_t> Report(const Tensors& actual, const Tensors& expected, const GivenTolerances& tolerances) {
  std::vector<size_t> wrong;
  for (size_t i = 0; i < expected.size(); ++i) {
    const Verdict verdict = Judge(actual[i], expected[i], tolerances);
    cli::SayLine("  " + verdict.text);
    if (!verdict.agrees) wrong.push_back(i);
  }
  return wrong;
}

// Says which outputs have another shape than the model states, as a promise of the user may.
bool ReportTypes(const Ports& model, const Tensors& inputs, const Tensors& outputs) {
  const Sizes sizes = SizesOf(model.inputs, inputs);
  bool all = true;
  for (size_t i = 0; i < std::min(model.outputs.size(), outputs.size()); ++i) {
    const std::string why_not = AgainstType(model.outputs[i], outputs[i].shape, sizes);
    if (!why_not.empty()) cli::Say("  differs: " + why_not + "\n");
    all = all && why_not.empty();
  }
  return all;
}

void SaveRun(const cli::VerifyArguments& arguments, const Ports& model, size_t number, const Tensors& inputs,
             Tensors expected) {
  // ONNX's tests go by the model's names; PyTorch's outputs have other ones, or none.
  for (size_t i = 0; i < std::min(expected.size(), model.outputs.size()); ++i) expected[i].name = model.outputs[i].name;
  std::vector<std::string> read = {arguments.model, arguments.against, arguments.inputs, arguments.onnxruntime};
  read.insert(read.end(), arguments.libraries.begin(), arguments.libraries.end());
  read.insert(read.end(), model.data_files.begin(), model.data_files.end());
  SaveTest(arguments.tests, number, inputs, expected, read);
}

}  // namespace

bool Verify(const cli::VerifyArguments& arguments, const Torch& torch, const std::string& runner) {
  // Before anything of LibTorch is called: with another release even opening the file may crash.
  torch.check();
  LoadLibraries(arguments.libraries);
  const std::vector<Input> fixed = FixedInputs(arguments.fixed);
  const GivenTolerances tolerances{arguments.atol, arguments.rtol};
  const Ports model = ReadPorts(arguments.model);
  const Program program = Open(arguments, torch, model, fixed);
  Reference* reference = program.reference.get();
  Tensors state = reference->FirstState();
  const std::vector<Run> runs = RunsOf(arguments, model, *reference, state);
  ort::Client client(runner, arguments.onnxruntime);
  bool all = true;
  for (size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i].name.empty()) cli::SayLine(runs[i].name);
    const Tensors inputs = InputsOf(model, runs[i].inputs, state);
    const Tensors expected = reference->Run(inputs);
    const ort::Response response =
        // No path is "the same model": it is loaded once for all runs.
        client.Run({.model_path = i == 0 ? arguments.model : "", .model_bytes = {}, .inputs = inputs});
    if (!response.error.empty()) throw CannotCompare("ONNX Runtime: " + response.error);
    if (response.outputs.size() != expected.size()) {
      cli::Say(fmt::format("  differs: the model has {} outputs, the program {}\n", response.outputs.size(),
                           expected.size()));
      return false;
    }
    const std::vector<size_t> wrong = Report(response.outputs, expected, tolerances);
    // Only for the first run that differs: the others would most likely name the same call.
    if (!wrong.empty() && all && arguments.bisect) {
      ort::Client another(runner, arguments.onnxruntime);  // the first keeps its model
      cli::Say(Bisect({arguments.model, inputs, wrong}, tolerances, program.steps, &another));
    }
    const bool typed = ReportTypes(model, inputs, response.outputs);
    all = all && wrong.empty() && typed;
    Follow(model, response.outputs, &state);
    if (!arguments.tests.empty()) SaveRun(arguments, model, i, inputs, expected);
  }
  cli::Say(all ? "agree\n" : "differ\n");
  return all;
}

}  // namespace onnxport::verify
