#include "runtime/torchscript/interpret/interpreter.h"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include "runtime/torchscript/interpret/boundary/objects.h"

namespace onnxport::torchscript {

Interpreter::Interpreter(const Program* program, Heap* heap, trace::Tracer* tracer, std::string loop_hint,
                         const TracedNumbers* traced)
    : run_(program, heap, tracer),
      builtins_(program, tracer, heap),
      quantized_(heap, tracer, &builtins_),
      operators_(&run_, &builtins_, &quantized_, &scans_),
      evaluator_(&run_, this, &operators_, &assumptions_, NumberMaker(traced, tracer)),
      annotations_(&run_, &evaluator_, &operators_),
      caller_(&run_, this, &evaluator_, &operators_, &annotations_, &quantized_),
      sequences_(&run_, &builtins_),
      branches_({.run = &run_,
                 .code = this,
                 .evaluator = &evaluator_,
                 .operators = &operators_,
                 .assumptions = &assumptions_,
                 .sequences = &sequences_,
                 .quantized = &quantized_}),
      loops_({.run = &run_, .sequences = &sequences_, .quantized = &quantized_, .scans = &scans_}, this, &evaluator_,
             &operators_, std::move(loop_hint)),
      statements_({.run = &run_,
                   .evaluator = &evaluator_,
                   .operators = &operators_,
                   .annotations = &annotations_,
                   .caller = &caller_,
                   .branches = &branches_,
                   .loops = &loops_,
                   .scans = &scans_}) {}

Value Interpreter::Module() {
  const Program& program = run_.program();
  ObjectReader reader(program, &run_.EditHeap(), &quantized_, [this](const Function& method, ValueList arguments) {
    Call(method, {std::move(arguments), {}});
  });
  Value module = reader.Read(program.module, "");
  for (size_t i = 0; i < program.constants.size(); ++i)
    evaluator_.AddConstant(reader.Read(program.constants[i], fmt::format("CONSTANTS.c{}", i)));
  return module;
}

std::string Interpreter::Running() const {
  return "the code at " + run_.calls().Place(run_.calls().top().calling);
}

}  // namespace onnxport::torchscript
