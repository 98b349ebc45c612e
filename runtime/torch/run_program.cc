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

Recording Record(const TorchProgram& program, const Examples& examples, const Examples::Arguments& arguments) {
  Recorder recorder(program.parameters, program.buffers);
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
  return recording;
}

// At the first sizes of which the program takes any.
Recording RecordAtSome(const TorchProgram& program, const Examples& examples, int run, Sizes* sizes) {
  std::optional<Error> first;
  for (Sizes& tried : SizesToTry(examples.sizes(), run)) {
    try {
      Recording recording = Record(program, examples, examples.At(tried, run));
      *sizes = std::move(tried);
      return recording;
    } catch (const ProgramFails& error) {
      if (!first) first = error.Behind(fmt::format("the axes cannot be free: at {} ", SizesText(tried)));
    }
  }
  throw Error(*first);
}

}  // namespace

Calls RunProgram(const TorchProgram& program, const Examples& examples) {
  Calls calls;
  bool free = !examples.sizes().empty();
  if (!free) {
    Recording recording = Record(program, examples, examples.AsGiven());
    free = recording.values_decide_sizes;
    calls.graph = std::move(recording.graph);
  }
  Merged merged = {.graph = std::move(calls.graph), .sure = !free};
  for (const int most : {kRuns, kMostRuns}) {
    if (merged.sure) break;
    for (int run = static_cast<int>(calls.runs.size()); run < most; ++run) {
      Sizes sizes;
      Recording recording = RecordAtSome(program, examples, run, &sizes);
      calls.runs.push_back({.sizes = std::move(sizes), .graph = std::move(recording.graph)});
    }
    merged = Merge(calls.runs, examples.dims());
  }
  calls.graph = std::move(merged.graph);
  ir::NameValues(&calls.graph);
  return calls;
}

}  // namespace onnxport::torch_export
