// Walks the code of a program on symbolic values, and makes its calls on a tracer.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_INTERPRETER_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_INTERPRETER_H_

#include <span>
#include <string>

#include "runtime/sources/torchscript/archive/program.h"
#include "runtime/sources/torchscript/interpret/annotations.h"
#include "runtime/sources/torchscript/interpret/assumptions.h"
#include "runtime/sources/torchscript/interpret/branches.h"
#include "runtime/sources/torchscript/interpret/caller.h"
#include "runtime/sources/torchscript/interpret/code.h"
#include "runtime/sources/torchscript/interpret/evaluator.h"
#include "runtime/sources/torchscript/interpret/execution.h"
#include "runtime/sources/torchscript/interpret/loops.h"
#include "runtime/sources/torchscript/interpret/operator_caller.h"
#include "runtime/sources/torchscript/interpret/operators/operators.h"
#include "runtime/sources/torchscript/interpret/scans.h"
#include "runtime/sources/torchscript/interpret/sequences.h"
#include "runtime/sources/torchscript/interpret/statements.h"
#include "runtime/sources/torchscript/interpret/traced_numbers.h"
#include "runtime/sources/torchscript/interpret/values/grids.h"
#include "runtime/sources/torchscript/interpret/values/heap.h"
#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/sources/torchscript/interpret/values/values.h"
#include "runtime/sources/torchscript/syntax/ast.h"
#include "runtime/trace/tracer.h"

namespace onnxport::torchscript {

// Each part uses only those declared before it. For later parts it calls Code.
class Interpreter : private Code {
 public:
  // All must outlive the interpreter. `loop_hint` ends the message about a loop that cannot be exported. `traced` has
  // the program's numbers in other traces; may be null.
  Interpreter(const Program* program, Heap* heap, trace::Tracer* tracer, std::string loop_hint,
              const TracedNumbers* traced = nullptr);
  Interpreter(const Interpreter&) = delete;

  // The module with its attributes; parameters become weights of the graph.
  Value Module();
  // Throws Refusal (kRaised), or Error for code that the language does not have, and when a limit is reached.
  Value Call(const Function& function, CallArguments arguments) { return caller_.Call(function, std::move(arguments)); }
  // The running code: "the code at model.py:12".
  std::string Running() const;

 private:
  Value EvaluateCall(const Expr& call) override { return caller_.Evaluate(call); }
  Flow ExecuteAll(std::span<const Stmt> body) override { return statements_.ExecuteAll(body); }

  Execution run_;
  Grids grids_;
  Operators operators_;
  Scans scans_;
  Assumptions assumptions_;
  OperatorCaller operator_caller_;
  Evaluator evaluator_;
  Annotations annotations_;
  Caller caller_;
  SequenceMaker sequences_;
  Branches branches_;
  Loops loops_;
  Statements statements_;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_INTERPRETER_H_
