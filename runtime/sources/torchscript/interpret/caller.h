// Evaluates call expressions: functions, methods, constructors, operators, and special forms that look like calls.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_CALLER_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_CALLER_H_

#include <optional>
#include <span>
#include <string>

#include "runtime/sources/torchscript/interpret/annotations.h"
#include "runtime/sources/torchscript/interpret/code.h"
#include "runtime/sources/torchscript/interpret/evaluator.h"
#include "runtime/sources/torchscript/interpret/execution.h"
#include "runtime/sources/torchscript/interpret/operator_caller.h"
#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/sources/torchscript/interpret/values/values.h"
#include "runtime/sources/torchscript/syntax/ast.h"

namespace onnxport::torchscript {

class Caller {
 public:
  // All must outlive this. `code` runs the bodies of functions.
  Caller(Execution* run, Code* code, Evaluator* evaluator, OperatorCaller* operators, Annotations* annotations)
      : run_(*run), code_(*code), evaluator_(*evaluator), operators_(*operators), annotations_(*annotations) {}

  Value Evaluate(const Expr& call);
  Value Call(const Function& function, CallArguments arguments);
  Value CallMethod(const CellPtr& object, const Function& method, CallArguments arguments);

 private:
  std::optional<Value> SpecialForm(const std::string& name, const Expr& expr);
  Value CallGlobal(const std::string& name, const Expr& expr);
  Value CallValue(const FunctionValue& function, CallArguments arguments);
  Value CallMethodOf(const Value& object, const Expr& expr);
  Value Construct(const Class& type, CallArguments arguments, const Expr& expr);
  Value ConstructEnum(const Class& type, const CallArguments& arguments, const Expr& expr);
  Value ConstructTuple(const Class& type, CallArguments arguments, const Expr& expr);
  // It copies the state of the innermost call.
  Activation NewActivation(const Function* function) const;
  Value Execute(std::span<const Stmt> body, Activation* activation);
  void BindParameters(const Function& function, CallArguments arguments, Frame* frame);
  [[noreturn]] void Raise(const Expr& call);

  Execution& run_;
  Code& code_;
  Evaluator& evaluator_;
  OperatorCaller& operators_;
  Annotations& annotations_;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_CALLER_H_
