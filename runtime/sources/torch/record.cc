#include "runtime/sources/torch/record.h"

#include <c10/core/GradMode.h>
#include <c10/util/Type.h>
#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <typeinfo>
#include <utility>

#include "onnxport/torch_program.h"
#include "runtime/base/error.h"
#include "runtime/base/refusal.h"
#include "runtime/sources/torch/interceptor.h"
#include "runtime/sources/torch/without_memory.h"

namespace onnxport::torch_export {
namespace {

using c10::IValue;

enum class Tensors : uint8_t { kWithValues, kWithoutMemory };

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

// The text of the exception that is handled.
std::string TextOfException() {
  try {
    throw;
  } catch (const c10::Error& error) {
    return error.what_without_backtrace();
  } catch (const std::exception& error) {
    return error.what();
  } catch (const std::string& text) {
    return text;
  } catch (const char* text) {
    return text;
  } catch (...) {
    const std::type_info* type = abi::__cxa_current_exception_type();
    return fmt::format("it throws {}, which is no std::exception",
                       type != nullptr ? c10::demangle(type->name()) : "something");
  }
}

// `seen`: of a run without memory, what one with values gave; may be null.
Recording RecordAs(const Runnable& runnable, const Examples::Arguments& arguments, Tensors tensors,
                   const ir::Graph* seen) {
  const auto& [program, examples, weights_vary, asked] = runnable;
  RunRecorder recorder(program.parameters, program.buffers, weights_vary, seen, asked);
  // Writes in place to parameters, which need gradients, would fail else; the calls are the same without.
  const c10::NoGradGuard no_grad;
  for (size_t i = 0; i < arguments.tensors.size(); ++i) recorder.AddInput(examples.names()[i], arguments.tensors[i]);
  IValue result;
  try {
    const Interceptor interceptor(&recorder);
    result = program.run(arguments.values);
  } catch (const Error& error) {
    // Threads first: what they did is likelier the reason than what is seen here, such as memory that something else
    // wrote to.
    if (error.kind() == ErrorKind::kCannotExport) recorder.CheckThreads();
    throw;
  } catch (const Refusal&) {  // of a call, by the recorder, through the program
    recorder.CheckThreads();
    throw;
  } catch (const torch_program::DoesNotFit& error) {
    throw Error(ErrorKind::kUsage, fmt::format("the examples do not fit the program: {}", error.what()));
  } catch (...) {
    recorder.CheckThreads();
    throw Refusal::Raised("the program fails: " + TextOfException());
  }
  recorder.CheckThreads();
  VisitOutputs(result, "", [&](const std::string& name, const IValue& value) { recorder.AddOutput(name, value); });
  Recording recording = recorder.Finish();
  if (!recording.failures.empty()) {
    throw Error(Report(ErrorKind::kCannotExport, std::move(recording.failures), "the program cannot be exported"));
  }
  // A program may catch the exception and go another way, which a run with values would not take.
  if (tensors == Tensors::kWithoutMemory && recording.needed_values)
    throw Refusal::NotDecided("the program went on after a call that failed");
  return recording;
}

}  // namespace

Recording Record(const Runnable& runnable, const Examples::Arguments& arguments) {
  return RecordAs(runnable, arguments, Tensors::kWithValues, nullptr);
}

bool IsWithoutMemory(const TorchProgram& program) {
  const auto is_meta = [](const auto& named) { return named.second.defined() && named.second.is_meta(); };
  return std::ranges::any_of(program.parameters, is_meta) || std::ranges::any_of(program.buffers, is_meta);
}

Recording RecordWithoutMemory(const Runnable& runnable, const Sizes& sizes) {
  try {
    return RecordAs(runnable, runnable.examples.WithoutMemoryAt(sizes), Tensors::kWithoutMemory, nullptr);
  } catch (const Refusal& refusal) {
    if (refusal.kind() != Refusal::Kind::kNotDecided) throw;
    throw Error(Code::kNotDecided,
                fmt::format("the module is on the meta device, so that only types are known: {}", refusal.what()));
  }
}

std::optional<ir::Graph> RecordTypes(const Runnable& runnable, const Sizes& sizes, const ir::Graph& seen) {
  try {
    return RecordAs(runnable, runnable.examples.WithoutMemoryAt(sizes), Tensors::kWithoutMemory, &seen).graph;
  } catch (const Refusal&) {
    return std::nullopt;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kCannotExport) throw;
    return std::nullopt;
  }
}

}  // namespace onnxport::torch_export
