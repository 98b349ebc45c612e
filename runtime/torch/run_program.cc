#include "runtime/torch/run_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "runtime/base/error.h"
#include "runtime/ir/name_values.h"
#include "runtime/torch/interceptor.h"
#include "runtime/torch/recorder.h"
#include "runtime/torch/without_memory.h"

namespace onnxport::torch_export {
namespace {

using c10::IValue;

// The program itself cannot be run so.
class ProgramFails : public Error {
 public:
  using Error::Error;
};

// Tensors in what the program gives, named by their place.
void VisitOutputs(const IValue& value, const std::string& name,
                  const std::function<void(const std::string&, const IValue&)>& visit) {
  const auto inside = [&](const std::string& key) {
    if (name.empty()) return key.find_first_not_of("0123456789") == std::string::npos ? "output_" + key : key;
    return name + "." + key;
  };
  if (value.isTuple() || value.isList()) {
    const auto items = value.isList() ? value.toListRef() : c10::ArrayRef<IValue>(value.toTupleRef().elements());
    for (size_t i = 0; i < items.size(); ++i) VisitOutputs(items[i], inside(std::to_string(i)), visit);
  } else if (value.isGenericDict()) {
    for (const auto& entry : value.toGenericDict()) {
      const std::string key = entry.key().isString() ? entry.key().toStringRef() : std::to_string(entry.key().toInt());
      VisitOutputs(entry.value(), inside(key), visit);
    }
  } else {
    visit(name.empty() ? "output" : name, value);
  }
}

// `seen`: of a run without memory, what one with values gave.
Recording Record(const TorchProgram& program, const Examples& examples, const Examples::Arguments& arguments,
                 const ir::Graph* seen = nullptr) {
  Recorder recorder(program.parameters, program.buffers, seen);
  const torch::NoGradGuard no_grad;
  for (size_t i = 0; i < arguments.tensors.size(); ++i) recorder.AddInput(examples.names()[i], arguments.tensors[i]);
  IValue result;
  try {
    const Interceptor interceptor(&recorder);
    result = program.run(arguments.values);
  } catch (const Error&) {
    throw;
  } catch (const c10::Error& error) {
    throw ProgramFails(ErrorKind::kCannotExport, fmt::format("the program fails: {}", error.what_without_backtrace()));
  } catch (const std::exception& error) {
    throw ProgramFails(ErrorKind::kCannotExport, fmt::format("the program fails: {}", error.what()));
  }
  VisitOutputs(result, "", [&](const std::string& name, const IValue& value) { recorder.AddOutput(name, value); });
  Recording recording = recorder.Finish();
  if (!recording.failures.empty()) {
    throw Error(Report(ErrorKind::kCannotExport, std::move(recording.failures), "the program cannot be exported"));
  }
  if (seen != nullptr && recording.needed_values) throw NeedsValues("the program went on after a call that failed");
  return recording;
}

// The runs of one export at several sizes.
class Runs {
 public:
  Runs(const TorchProgram& program, const Examples& examples, FurtherRuns further)
      : program_(program), examples_(examples), may_lack_memory_(further == FurtherRuns::kWithoutMemory) {}

  // At the first sizes of which the program takes any.
  void Add() {
    std::optional<Error> first;
    for (Sizes& sizes : SizesToTry(examples_.sizes(), static_cast<int>(made_.size()))) {
      try {
        ir::Graph graph = At(sizes);
        made_.push_back({.sizes = std::move(sizes), .graph = std::move(graph)});
        return;
      } catch (const ProgramFails& error) {
        if (!first) first = error.Behind(fmt::format("the axes cannot be free: at {} ", SizesText(sizes)));
      }
    }
    throw Error(*first);
  }

  const std::vector<Run>& made() const { return made_; }
  std::vector<Run> Take() { return std::move(made_); }
  // Whether some of them were.
  bool without_memory() const { return without_memory_; }

 private:
  ir::Graph At(const Sizes& sizes) {
    if (!made_.empty() && may_lack_memory_) {
      if (auto graph = WithoutMemoryAt(sizes, made_.front().graph)) {
        without_memory_ = true;
        return std::move(*graph);
      }
    }
    Recording recording = Record(program_, examples_, examples_.At(sizes, static_cast<int>(made_.size())));
    // What was taken down without memory is believed where it is what values gave, at the same sizes.
    const bool first = made_.empty();
    may_lack_memory_ = may_lack_memory_ && first && !recording.values_decide_sizes;
    if (may_lack_memory_) {
      const auto graph = WithoutMemoryAt(sizes, recording.graph);
      may_lack_memory_ = graph && AreSame(recording.graph, *graph);
    }
    return std::move(recording.graph);
  }

  std::optional<ir::Graph> WithoutMemoryAt(const Sizes& sizes, const ir::Graph& seen) const {
    try {
      return Record(program_, examples_, examples_.WithoutMemoryAt(sizes), &seen).graph;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kCannotExport) throw;
      return std::nullopt;
    }
  }

  const TorchProgram& program_;
  const Examples& examples_;
  bool may_lack_memory_;
  bool without_memory_ = false;
  std::vector<Run> made_;
};

// Throws Error where the runs have no graph in common.
Calls Compare(const TorchProgram& program, const Examples& examples, FurtherRuns further) {
  Runs runs(program, examples, further);
  Merged merged = {.graph = {}, .sure = false};
  for (const size_t most : {kRuns, kMostRuns}) {
    if (merged.sure) break;
    while (runs.made().size() < most) runs.Add();
    try {
      merged = Merge(runs.made(), examples.dims());
    } catch (const Error& error) {
      if (!runs.without_memory()) throw;
      // Values say so, or nobody.
      return Compare(program, examples, FurtherRuns::kWithValues);
    }
  }
  return {.graph = std::move(merged.graph), .runs = runs.Take(), .without_memory = runs.without_memory()};
}

}  // namespace

Calls RunProgram(const TorchProgram& program, const Examples& examples, FurtherRuns further) {
  Calls calls;
  bool several = !examples.sizes().empty();
  if (!several) {
    Recording recording = Record(program, examples, examples.AsGiven());
    several = recording.values_decide_sizes;
    calls.graph = std::move(recording.graph);
  }
  if (several) calls = Compare(program, examples, further);
  ir::NameValues(&calls.graph);
  return calls;
}

}  // namespace onnxport::torch_export
