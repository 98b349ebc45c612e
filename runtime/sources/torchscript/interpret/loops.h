// Executes `for` and `while`: unrolls them if the number of iterations is known and small, else makes an ONNX Loop.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_LOOPS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_LOOPS_H_

#include <cstdint>
#include <string>
#include <utility>

#include "runtime/ir/control_flow.h"
#include "runtime/sources/torchscript/interpret/code.h"
#include "runtime/sources/torchscript/interpret/evaluator.h"
#include "runtime/sources/torchscript/interpret/execution.h"
#include "runtime/sources/torchscript/interpret/loop_slots.h"
#include "runtime/sources/torchscript/interpret/loop_tracer.h"
#include "runtime/sources/torchscript/interpret/operator_caller.h"
#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/sources/torchscript/syntax/ast.h"

namespace onnxport::torchscript {

class Loops {
 public:
  // All must outlive this. `hint` ends the message about a loop that cannot be exported.
  Loops(const LoopParts& parts, Code* code, Evaluator* evaluator, OperatorCaller* operators, std::string hint)
      : parts_(parts),
        run_(*parts.run),
        code_(*code),
        evaluator_(*evaluator),
        operators_(*operators),
        hint_(std::move(hint)) {}

  Flow ExecuteFor(const Stmt& stmt);
  Flow ExecuteWhile(const Stmt& stmt);

 private:
  Flow Unroll(const Stmt& stmt, int64_t count);
  void CountIteration(const Stmt& stmt);
  bool NextConditionIsKnown(const Stmt& stmt);
  // Runs the body once more; returns the condition after it for a `while`.
  Value Iterate(const Stmt& stmt, const Value& iteration);
  // `loop` has everything known outside its body. `first` is the number of its first iteration.
  LoopTracer TracerOf(const Stmt& stmt, ir::LoopSpec loop, int64_t first = 0);
  bool MakeFirstAlone(const Stmt& stmt, const Value& count, const Expr& range);
  void FailLoop(const Stmt& stmt, const std::string& why);

  LoopParts parts_;
  Execution& run_;
  Code& code_;
  Evaluator& evaluator_;
  OperatorCaller& operators_;
  std::string hint_;
  int64_t iterations_ = 0;  // unrolled, of all loops together
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_LOOPS_H_
