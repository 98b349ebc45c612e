// Connects the parts. Each gets those made before it and can call only these. Earlier parts that must run code get the
// interpreter, as Code.
#include "runtime/sources/torchscript/interpret/interpreter.h"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include "runtime/sources/torchscript/interpret/boundary/objects.h"
#include "runtime/sources/torchscript/interpret/boundary/weights.h"

namespace onnxport::torchscript {

Interpreter::Interpreter(const Program* program, Heap* heap, trace::Tracer* tracer, std::string loop_hint,
                         const TracedNumbers* traced)
    : run_(program, heap, tracer),
      operators_(program, tracer, heap, &grids_),
      operator_caller_(&run_, &operators_, &scans_),
      evaluator_(&run_, this, &operator_caller_, &assumptions_, NumberMaker(traced, tracer)),
      annotations_(&run_, &evaluator_, &operator_caller_),
      caller_(&run_, this, &evaluator_, &operator_caller_, &annotations_),
      sequences_(&run_, &operators_, &grids_),
      branches_({.run = &run_,
                 .code = this,
                 .evaluator = &evaluator_,
                 .operators = &operator_caller_,
                 .assumptions = &assumptions_,
                 .sequences = &sequences_,
                 .grids = &grids_}),
      loops_({.run = &run_, .sequences = &sequences_, .grids = &grids_, .scans = &scans_}, this, &evaluator_,
             &operator_caller_, std::move(loop_hint)),
      statements_({.run = &run_,
                   .evaluator = &evaluator_,
                   .operators = &operator_caller_,
                   .annotations = &annotations_,
                   .caller = &caller_,
                   .branches = &branches_,
                   .loops = &loops_,
                   .scans = &scans_}) {}

Value Interpreter::Module() {
  const Program& program = run_.program();
  // Objects are read before any code runs, except `__setstate__`, which makes the attributes of some of them.
  Weights weights(&run_.EditTracer(), &operators_, &grids_);
  ObjectReader reader(program, &run_.EditHeap(), &weights, [this](const Function& method, ValueList arguments) {
    Call(method, {std::move(arguments), {}});
  });
  Value module = reader.Read(program.module, "");
  // After the module, so that weights have the order of its attributes, followed by constants.
  for (size_t i = 0; i < program.constants.size(); ++i)
    evaluator_.AddConstant(reader.Read(program.constants[i], fmt::format("CONSTANTS.c{}", i)));
  return module;
}

std::string Interpreter::Running() const { return "the code at " + run_.calls().Place(run_.calls().top().calling); }

}  // namespace onnxport::torchscript
