#include "runtime/sources/torch/run_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "runtime/base/error.h"
#include "runtime/base/refusal.h"
#include "runtime/ir/name_values.h"
#include "runtime/sources/torch/full_slices.h"
#include "runtime/sources/torch/merge_runs.h"
#include "runtime/sources/torch/record.h"

namespace onnxport::torch_export {
namespace {

// The runs of one export at several sizes.
class Runs {
 public:
  Runs(const Runnable& runnable, FurtherRuns further)
      : runnable_(runnable), may_lack_memory_(further == FurtherRuns::kWithoutMemory) {}

  // Runs with the next set of examples, or at the first sizes that the program accepts.
  void Add() {
    const size_t sets = runnable_.examples.sets();
    if (made_.size() < sets) {
      const Sizes& sizes = runnable_.examples.SizesOf(made_.size());
      return Add(sizes, At(sizes, [&] { return runnable_.examples.OfSet(made_.size()); }));
    }
    std::string first;
    const auto run = static_cast<int>(made_.size() - sets);
    for (Sizes& sizes : SizesToTry(runnable_.examples.sizes(), runnable_.examples.ranges(), run)) {
      try {
        ir::Graph graph = At(sizes, [&] { return runnable_.examples.At(sizes, run); });
        if (!first.empty()) failures_.push_back(first);
        return Add(sizes, std::move(graph));
      } catch (const Refusal& refusal) {
        if (refusal.kind() != Refusal::Kind::kRaised) throw;
        if (first.empty()) first = fmt::format("at {} {}", SizesText(sizes), refusal.what());
      }
    }
    throw Error(Code::kTracesDiffer, "the axes cannot be free: " + first);
  }

  const std::vector<Run>& made() const { return made_; }
  // The errors of the program at sizes that it does not accept.
  const std::vector<std::string>& failures() const { return failures_; }
  // Inputs that no output of the first run depends on.
  const std::vector<std::string>& unused() const { return unused_; }
  // True if some runs were without memory.
  bool without_memory() const { return without_memory_; }

 private:
  void Add(const Sizes& sizes, ir::Graph graph) { made_.push_back({.sizes = sizes, .graph = std::move(graph)}); }

  // A module on the meta device has no values in any run. Otherwise the first run has values, and is repeated without.
  // If both give the same, later runs need no values. If one of them fails without values, it is repeated with values.
  template <typename Arguments>
  ir::Graph At(const Sizes& sizes, const Arguments& arguments) {
    if (IsWithoutMemory(runnable_.program)) return RecordWithoutMemory(runnable_, sizes).graph;
    if (!made_.empty() && may_lack_memory_) {
      if (auto graph = WithoutMemoryAt(sizes, made_.front().graph)) {
        without_memory_ = true;
        return std::move(*graph);
      }
    }
    Recording recording = Record(runnable_, arguments());
    if (made_.empty()) unused_ = recording.unused;
    // Records without memory are trusted if a run with values gave the same, at the same sizes.
    const bool first = made_.empty();
    may_lack_memory_ = may_lack_memory_ && first;
    if (may_lack_memory_) {
      const auto graph = WithoutMemoryAt(sizes, recording.graph);
      may_lack_memory_ = graph && AreSame(recording.graph, *graph);
    }
    return std::move(recording.graph);
  }

  std::optional<ir::Graph> WithoutMemoryAt(const Sizes& sizes, const ir::Graph& seen) const {
    return RecordTypes(runnable_, sizes, seen);
  }

  const Runnable& runnable_;
  bool may_lack_memory_;
  bool without_memory_ = false;
  std::vector<Run> made_;
  std::vector<std::string> failures_;
  std::vector<std::string> unused_;
};

// Returns remarks about parts of a model that the program's calls do not show.
std::vector<std::string> RemarksOf(const ir::Graph& graph, const std::vector<std::string>& unused) {
  std::vector<std::string> remarks;
  std::vector<std::string> constants;
  for (const ir::Weight& weight : graph.weights) {
    if (weight.name.starts_with(kConstantPrefix)) {
      constants.push_back(fmt::format("'{}' ({}{})", weight.name, ir::Name(weight.data->dtype), weight.data->shape));
    }
  }
  if (!constants.empty()) {
    const size_t more = constants.size() > 3 ? constants.size() - 3 : 0;
    constants.resize(constants.size() - more);
    remarks.push_back(fmt::format(
        "{}{} made without operators of the program, or taken from outside of it, and constant in the model",
        fmt::join(constants, ", "),
        more > 0               ? fmt::format(" and {} more are", more)
        : constants.size() > 1 ? " are"
                               : " is"));
  }
  for (const std::string& name : unused)
    remarks.push_back(fmt::format("no output depends on the values of the input '{}'", name));
  return remarks;
}

// Throws Error if the runs have no graph in common.
Calls Compare(const Runnable& runnable, FurtherRuns further) {
  Runs runs(runnable, further);
  Merged merged = {.graph = {}, .sure = false};
  std::vector<Run> made;
  // If runs without values contradict each other, only runs with values can decide.
  const auto with_values = [&] {
    if (!runs.without_memory()) throw;
    return Compare(runnable, FurtherRuns::kWithValues);
  };
  // Six runs, and ten if some number has two possible formulas, or none was found.
  for (const size_t most : {kRuns, kMostRuns}) {
    if (merged.sure) break;
    while (runs.made().size() < std::max(most, runnable.examples.sets())) runs.Add();
    made = runs.made();
    AddFullSlices(&made);
    try {
      merged = Merge(made, runnable.examples.dims());
    } catch (const Refusal&) {  // more runs may decide a number
      if (most == kMostRuns) return with_values();
    } catch (const Error&) {
      return with_values();
    }
  }
  Calls calls = {.graph = std::move(merged.graph), .runs = std::move(made), .without_memory = runs.without_memory()};
  calls.remarks = RemarksOf(calls.graph, runs.unused());
  if (!runs.failures().empty()) {
    calls.remarks.push_back(fmt::format("the program does not take all sizes, and the model does not know of it: {}",
                                        fmt::join(runs.failures(), "; ")));
  }
  return calls;
}

// The reason why other input values lead to other calls, or nothing.
struct Difference {
  Error error;
  bool fails = false;  // the program itself fails
};
std::optional<Difference> Compared(const Runnable& runnable, const Recording& first,
                                   const Examples::Arguments& arguments) {
  try {
    const Recording other = Record(runnable, arguments);
    Merge({{.sizes = {}, .graph = first.graph}, {.sizes = {}, .graph = other.graph}}, runnable.examples.dims());
    return std::nullopt;
  } catch (const Refusal& refusal) {
    return Difference{Error(refusal.code(), refusal.what()), refusal.kind() == Refusal::Kind::kRaised};
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kCannotExport) throw;
    return Difference{error};
  }
}

// Runs the program with other values, because numbers and tensors that it reads from its inputs' memory would become
// constants. If two equal runs differ already, the inputs are not the reason.
void CompareWithOtherValues(const Runnable& runnable, const Recording& first, std::vector<std::string>* remarks) {
  const auto types = RecordTypes(runnable, {}, first.graph);
  // A run without memory cannot have read values, so nothing else needs to be compared.
  if (types && AreSame(first.graph, *types)) return;
  const auto other = Compared(runnable, first, runnable.examples.At({}, 1));
  if (!other) return;
  // Runs again with the same inputs: a program that counts its calls differs here, too, and then the inputs are not the
  // reason.
  if (const auto again = Compared(runnable, first, runnable.examples.AsGiven())) {
    remarks->push_back(fmt::format(
        "the program does other things when it is run again with the same inputs, as one with a counter or a cache "
        "does; the model is what it did the first time: {}",
        again->error.what()));
  } else if (other->fails) {
    remarks->push_back(fmt::format(
        "with other values of its inputs {}; so nothing tells whether a number or tensor of the model was read from "
        "their memory",
        other->error.what()));
  } else {
    throw Error(other->error);
  }
}

// Runs with the examples only; returns nothing if values decide sizes.
std::optional<Calls> RunOnce(const Runnable& runnable) {
  if (IsWithoutMemory(runnable.program)) return Calls{.graph = RecordWithoutMemory(runnable, {}).graph, .runs = {}};
  Recording recording = Record(runnable, runnable.examples.AsGiven());
  if (recording.values_decide_sizes) return std::nullopt;
  Calls calls = {.graph = {}, .runs = {}, .remarks = RemarksOf(recording.graph, recording.unused)};
  CompareWithOtherValues(runnable, recording, &calls.remarks);
  calls.graph = std::move(recording.graph);
  return calls;
}

}  // namespace

Calls RunProgram(const Runnable& runnable, FurtherRuns further) {
  const bool several = !runnable.examples.sizes().empty() || runnable.examples.sets() > 1;
  std::optional<Calls> calls;
  try {
    if (!several) calls = RunOnce(runnable);
    if (!calls) calls = Compare(runnable, further);
  } catch (const Refusal& refusal) {  // more runs do not help
    throw Error(refusal.code(), refusal.what());
  }
  calls->graph.ranges = runnable.examples.ranges();
  ir::NameValues(&calls->graph);
  return *std::move(calls);
}

Error WithPlaces(const Error& error, const Runnable& runnable) {
  std::vector<Diagnostic> diagnostics = error.report().marked();
  PlacesOfCalls places;
  for (const Diagnostic& diagnostic : diagnostics) {
    for (const CallSite& site : diagnostic.sites) places.emplace(site.node, "");
  }
  if (places.empty()) return error;
  Runnable again = runnable;
  again.asked = &places;
  try {
    if (IsWithoutMemory(runnable.program)) {
      RecordWithoutMemory(again, runnable.examples.sizes());
    } else {
      Record(again, runnable.examples.OfSet(0));
    }
  } catch (const Refusal&) {  // The program cannot run twice. The findings so far are right.
  } catch (const Error&) {    // The same, if it cannot be recorded twice.
  }
  for (Diagnostic& diagnostic : diagnostics) {
    for (CallSite& site : diagnostic.sites) site.function = places[site.node];
  }
  return Error(Report(error.kind(), std::move(diagnostics), error.report().marked_headline()));
}

}  // namespace onnxport::torch_export
