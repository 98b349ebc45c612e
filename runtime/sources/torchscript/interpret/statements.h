// Runs statements, one after another. Control flow is in Branches and Loops.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_STATEMENTS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_STATEMENTS_H_

#include <span>

#include "runtime/sources/torchscript/interpret/annotations.h"
#include "runtime/sources/torchscript/interpret/branches.h"
#include "runtime/sources/torchscript/interpret/caller.h"
#include "runtime/sources/torchscript/interpret/code.h"
#include "runtime/sources/torchscript/interpret/evaluator.h"
#include "runtime/sources/torchscript/interpret/execution.h"
#include "runtime/sources/torchscript/interpret/loops.h"
#include "runtime/sources/torchscript/interpret/operator_caller.h"
#include "runtime/sources/torchscript/interpret/scans.h"
#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/sources/torchscript/syntax/ast.h"

namespace onnxport::torchscript {

class Statements {
 public:
  // The parts of the interpreter that statements use. All must outlive this.
  struct Parts {
    Execution* run;
    Evaluator* evaluator;
    OperatorCaller* operators;
    Annotations* annotations;
    Caller* caller;
    Branches* branches;
    Loops* loops;
    Scans* scans;
  };
  explicit Statements(const Parts& parts)
      : run_(*parts.run),
        evaluator_(*parts.evaluator),
        operators_(*parts.operators),
        annotations_(*parts.annotations),
        caller_(*parts.caller),
        branches_(*parts.branches),
        loops_(*parts.loops),
        scans_(*parts.scans) {}

  // Never returns kRestDone.
  Flow ExecuteAll(std::span<const Stmt> body);

 private:
  // `rest` are the next statements of the block.
  Flow Execute(const Stmt& stmt, std::span<const Stmt> rest);
  Flow Return(const Stmt& stmt);
  void Assign(const Stmt& stmt);
  void AssignTo(const Expr& target, Value value);
  void Unpack(const Stmt& stmt, const Value& value);
  // The items to unpack.
  ValueList ItemsOf(const Stmt& stmt, const Value& value);
  ValueList ItemsOfDynamic(const Stmt& stmt, const Value& list);
  Flow ExecuteWith(const Stmt& stmt);
  void Define(const Stmt& stmt);

  Execution& run_;
  Evaluator& evaluator_;
  OperatorCaller& operators_;
  Annotations& annotations_;
  Caller& caller_;
  Branches& branches_;
  Loops& loops_;
  Scans& scans_;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_STATEMENTS_H_
