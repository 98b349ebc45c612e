#include "runtime/sources/torchscript/torchscript.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/error.h"
#include "runtime/base/memory_budget.h"
#include "runtime/sources/torchscript/interpret/boundary/attributes.h"
#include "runtime/sources/torchscript/interpret/boundary/inputs.h"
#include "runtime/sources/torchscript/interpret/boundary/outputs.h"
#include "runtime/sources/torchscript/interpret/interpreter.h"
#include "runtime/sources/torchscript/interpret/values/refusal.h"

namespace onnxport::torchscript {
namespace {

const Function& FindMethod(const Program& program, const std::string& name) {
  const Class* type = ModuleClass(program);
  if (type == nullptr) throw Error(onnxport::Code::kBadScript, "the archive has no code for its module");
  if (const Function* method = type->FindMethod(name)) return *method;
  if (type->methods.empty()) FailNoProgram(*program.archive);
  std::string known;
  for (const Function& method : type->methods) known += (known.empty() ? "" : ", ") + method.name;
  throw Error(onnxport::Code::kNoSuchName, fmt::format("the module has no method `{}`; it has {}", name, known));
}

// Suggests how to avoid loops over an input whose length is known only at run time.
std::string HintOnLists(const std::vector<Input>& inputs) {
  const auto list = std::ranges::find_if(inputs, [](const Input& input) { return input.list; });
  if (list == inputs.end()) return "";
  return fmt::format(
      "; if `{0}` has a length that is known, describe its elements: <<inputs: {0}.0=...>>, "
      "<<inputs: {0}.1=...>>",
      list->name);
}

// One walk over the method.
std::unique_ptr<trace::Tracer> Walk(const Program& program, const InterpretOptions& options, int opset,
                                    const trace::ProgramState& state) {
  auto tracer = std::make_unique<trace::Tracer>(opset, lowering::FreeSizes::kAsStated, inputs::RangesOf(options.inputs),
                                                options.lowering, state);
  Heap heap;
  const Function& method = FindMethod(program, options.method);
  // If traces are compared, that shows unrolled loops already.
  const AxisSizes* traced_sizes = options.traced == nullptr ? &options.traced_sizes : nullptr;
  ValueList arguments = BindInputs(method, program, options.inputs, traced_sizes, &heap, tracer.get());
  Interpreter interpreter(&program, &heap, tracer.get(), HintOnLists(options.inputs), options.traced);
  const MemoryBudget::Place place([&interpreter] { return interpreter.Running(); });
  try {
    const Value module = interpreter.Module();
    const Attributes attributes(module);
    arguments.insert(arguments.begin(), module);
    AddOutputs(interpreter.Call(method, {std::move(arguments), {}}), tracer.get());
    attributes.TellChanges(state.kept, tracer.get());
  } catch (const Refusal& raised) {
    if (!IsRaised(raised)) throw;
    // After a failure, the program may raise only because a value is missing.
    if (tracer->findings().failures().empty())
      tracer->Fail("", {onnxport::Code::kProgramRaises,
                        fmt::format("the program raises an exception for these inputs: {}", raised.what())});
  }
  return tracer;
}

}  // namespace

trace::Traced Interpret(const Program& program, const InterpretOptions& options) {
  const auto walk = [&](int opset, const trace::ProgramState& state) { return Walk(program, options, opset, state); };
  return trace::Trace(walk, options.opset, options.trace);
}

}  // namespace onnxport::torchscript
