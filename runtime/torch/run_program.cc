#include "runtime/torch/run_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "onnxport/torch.h"
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

enum class Memory : uint8_t { kReal, kNone };

// `seen`: of a run without memory, what one with values gave; may be null.
Recording Record(const Runnable& runnable, const Examples::Arguments& arguments, Memory memory = Memory::kReal,
                 const ir::Graph* seen = nullptr) {
  const auto& [program, examples, weights_vary] = runnable;
  Recorder recorder(program.parameters, program.buffers, weights_vary, seen);
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
  if (memory == Memory::kNone && recording.needed_values)
    throw NeedsValues("the program went on after a call that failed");
  return recording;
}

// Weights of the meta device: no run of it has values.
bool IsWithoutMemory(const TorchProgram& program) {
  const auto is_meta = [](const auto& named) { return named.second.defined() && named.second.is_meta(); };
  return std::ranges::any_of(program.parameters, is_meta) || std::ranges::any_of(program.buffers, is_meta);
}

Recording RecordWithoutMemory(const Runnable& runnable, const Sizes& sizes) {
  try {
    return Record(runnable, runnable.examples.WithoutMemoryAt(sizes), Memory::kNone);
  } catch (const NeedsValues& error) {
    throw error.Behind("the module is on the meta device, so that only types are known: ");
  }
}

// The runs of one export at several sizes.
class Runs {
 public:
  Runs(const Runnable& runnable, FurtherRuns further)
      : runnable_(runnable), may_lack_memory_(further == FurtherRuns::kWithoutMemory) {}

  // At the first sizes of which the program takes any.
  void Add() {
    std::optional<Error> first;
    for (Sizes& sizes : SizesToTry(runnable_.examples.sizes(), static_cast<int>(made_.size()))) {
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
    if (IsWithoutMemory(runnable_.program)) return RecordWithoutMemory(runnable_, sizes).graph;
    if (!made_.empty() && may_lack_memory_) {
      if (auto graph = WithoutMemoryAt(sizes, made_.front().graph)) {
        without_memory_ = true;
        return std::move(*graph);
      }
    }
    Recording recording = Record(runnable_, runnable_.examples.At(sizes, static_cast<int>(made_.size())));
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
      return Record(runnable_, runnable_.examples.WithoutMemoryAt(sizes), Memory::kNone, &seen).graph;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kCannotExport) throw;
      return std::nullopt;
    }
  }

  const Runnable& runnable_;
  bool may_lack_memory_;
  bool without_memory_ = false;
  std::vector<Run> made_;
};

// Throws Error where the runs have no graph in common.
Calls Compare(const Runnable& runnable, FurtherRuns further) {
  Runs runs(runnable, further);
  Merged merged = {.graph = {}, .sure = false};
  for (const size_t most : {kRuns, kMostRuns}) {
    if (merged.sure) break;
    while (runs.made().size() < most) runs.Add();
    try {
      merged = Merge(runs.made(), runnable.examples.dims());
    } catch (const Error& error) {
      if (!runs.without_memory()) throw;
      // Values say so, or nobody.
      return Compare(runnable, FurtherRuns::kWithValues);
    }
  }
  return {.graph = std::move(merged.graph), .runs = runs.Take(), .without_memory = runs.without_memory()};
}

}  // namespace

Calls RunProgram(const Runnable& runnable, FurtherRuns further) {
  Calls calls;
  bool several = !runnable.examples.sizes().empty();
  if (!several) {
    Recording recording = IsWithoutMemory(runnable.program) ? RecordWithoutMemory(runnable, {})
                                                            : Record(runnable, runnable.examples.AsGiven());
    several = recording.values_decide_sizes;
    calls.graph = std::move(recording.graph);
  }
  if (several) calls = Compare(runnable, further);
  ir::NameValues(&calls.graph);
  return calls;
}

}  // namespace onnxport::torch_export
