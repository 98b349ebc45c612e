#include "runtime/verify/verify.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "runtime/archive/archive.h"
#include "runtime/base/error.h"
#include "runtime/cli/messages.h"
#include "runtime/verify/axes.h"
#include "runtime/verify/bisect.h"
#include "runtime/verify/cannot_compare.h"
#include "runtime/verify/npz.h"
#include "runtime/verify/ort/client.h"
#include "runtime/verify/ports.h"
#include "runtime/verify/random_input.h"
#include "runtime/verify/reference.h"
#include "runtime/verify/report.h"
#include "runtime/verify/test_data.h"

namespace onnxport::verify {
namespace {

using Tensors = std::vector<ort::Tensor>;

struct Run {
  std::string name;  // "batch=2, seq=3"
  Tensors inputs;
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
                            const ir::Ranges& ranges) {
  const auto values = ParseRanges(arguments.ranges);
  for (const auto& [name, range] : values) {
    if (std::ranges::find(inputs, name, &Port::name) == inputs.end()) {
      throw Error(ErrorKind::kUsage, fmt::format("--range '{}': the model has no such input", name));
    }
  }
  std::mt19937_64 random(arguments.seed);
  std::vector<Run> runs;
  for (const Sizes& sizes : SizesOfRuns(inputs, ranges, arguments.sizes)) {
    Run& run = runs.emplace_back();
    for (const auto& [axis, size] : sizes) run.name += fmt::format("{}{}={}", run.name.empty() ? "" : ", ", axis, size);
    for (const Port& input : inputs) run.inputs.push_back(RandomInput(input, sizes, values, &random));
  }
  return runs;
}

// Says what became of each output; those that differ.
std::vector<size_t> Report(const Tensors& actual, const Tensors& expected, const GivenTolerances& tolerances) {
  std::vector<size_t> wrong;
  for (size_t i = 0; i < expected.size(); ++i) {
    const Verdict verdict = Judge(actual[i], expected[i], tolerances);
    cli::Say("  " + verdict.text + "\n");
    if (!verdict.agrees) wrong.push_back(i);
  }
  return wrong;
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
  const std::vector<Run> runs = arguments.inputs.empty()
                                    ? RandomRuns(arguments, model.inputs, reference->RangesOf(model.inputs))
                                    : std::vector<Run>{GivenRun(arguments.inputs, model.inputs)};
  ort::Client client(runner, arguments.onnxruntime);
  bool all = true;
  for (size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i].name.empty()) cli::Say(runs[i].name + "\n");
    Tensors expected = reference->Run(runs[i].inputs);
    const ort::Response response =
        // No path is "the same model": it is loaded once for all runs.
        client.Run({.model_path = i == 0 ? arguments.model : "", .model_bytes = {}, .inputs = runs[i].inputs});
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
      cli::Say(Bisect({arguments.model, runs[i].inputs, wrong}, tolerances, program.steps, &another));
    }
    all = all && wrong.empty();
    if (arguments.tests.empty()) continue;
    // ONNX's tests go by the model's names; PyTorch's outputs have other ones, or none.
    for (size_t j = 0; j < std::min(expected.size(), model.outputs.size()); ++j)
      expected[j].name = model.outputs[j].name;
    SaveTest(arguments.tests, i, runs[i].inputs, expected, {arguments.model, arguments.against, arguments.inputs});
  }
  cli::Say(all ? "agree\n" : "differ\n");
  return all;
}

}  // namespace onnxport::verify
