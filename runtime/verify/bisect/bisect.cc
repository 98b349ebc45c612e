#include "runtime/verify/bisect/bisect.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <utility>

#include "runtime/base/text.h"
#include "runtime/verify/bisect/first_difference.h"
#include "runtime/verify/bisect/probes.h"
#include "runtime/verify/report/report.h"

namespace onnxport::verify {
namespace {

using Probes = std::map<std::string, std::vector<Probe>>;

// The outcome of each step of one run.
struct Comparison {
  std::vector<ComparedStep> steps;
  std::vector<std::string> texts;  // of each step that differs
  std::vector<size_t> outputs;     // the steps that are outputs, in order
  std::vector<std::string> names;  // of the outputs
  size_t compared = 0;
};

// Nodes within a call may give its result's type too: if one agrees, all is well. If all differ, the last is reported.
Finding Compare(const ort::Tensor& expected, const std::vector<Probe>& probes, const GivenTolerances& tolerances,
                std::string* text) {
  Finding finding = Finding::kNotCompared;
  for (const Probe& probe : probes) {
    // A call of several nodes gives values on the way: layer_norm has a mean and a variance. Those of another type are
    // not what the call gives.
    if (probe.value.dtype != expected.dtype || probe.value.shape != expected.shape) continue;
    const Verdict verdict = Judge(probe.value, expected, tolerances);
    if (verdict.agrees) return Finding::kAgrees;
    finding = Finding::kDiffers;
    *text = VisibleLine(fmt::format("    node `{}`: {}", probe.node, verdict.text)) + "\n";
  }
  return finding;
}

Finding Compare(const Step& step, const Probes& probes, const GivenTolerances& tolerances, std::string* text) {
  const auto found = probes.find(step.name);
  if (found == probes.end()) return Finding::kNotCompared;
  Finding finding = Finding::kNotCompared;
  for (const ort::Tensor& result : step.results) {
    const Finding of_result = Compare(result, found->second, tolerances, text);
    if (of_result == Finding::kDiffers) return of_result;
    if (of_result == Finding::kAgrees) finding = of_result;
  }
  return finding;
}

void Add(Step step, const Probes& probes, const GivenTolerances& tolerances, Comparison* comparison) {
  std::string text;
  // Only wrong outputs are asked about, so an output counts as one that differs; its text is never shown, as the first
  // difference lies before it.
  const Finding finding = step.is_output ? Finding::kDiffers : Compare(step, probes, tolerances, &text);
  if (step.is_output) {
    comparison->outputs.push_back(comparison->steps.size());
    comparison->names.push_back(step.name);
  } else if (finding != Finding::kNotCompared) {
    ++comparison->compared;
  }
  comparison->steps.push_back({finding, std::move(step.takes)});
  comparison->texts.push_back(finding == Finding::kDiffers ? VisibleLine(step.text) + "\n" + text : "");
}

}  // namespace

std::string Bisect(const WrongRun& run, const GivenTolerances& tolerances, StepwiseReference* reference,
                   ort::Client* client) {
  const Probes probes = RunWithProbes(run.model, run.inputs, client);
  Comparison comparison;
  // Each result is compared at once and dropped: all results of a large program would not fit into memory. Those of the
  // model are all there, ONNX Runtime gives outputs together.
  reference->Watch(run.inputs, [&](Step step) { Add(std::move(step), probes, tolerances, &comparison); });
  std::string text;
  for (const size_t output : run.outputs) {
    const std::optional<size_t> first = FirstDifference(comparison.steps, comparison.outputs.at(output));
    text += fmt::format("  {} begins to differ ", VisibleLine(comparison.names[output]));
    text += first ? "at " + comparison.texts[*first]
                  : fmt::format("behind the last of the {} calls whose results the model has\n", comparison.compared);
  }
  return text;
}

}  // namespace onnxport::verify
