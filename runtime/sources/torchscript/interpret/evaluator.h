// Evaluates expressions.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_EVALUATOR_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_EVALUATOR_H_

#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>

#include "runtime/sources/torchscript/interpret/assumptions.h"
#include "runtime/sources/torchscript/interpret/code.h"
#include "runtime/sources/torchscript/interpret/execution.h"
#include "runtime/sources/torchscript/interpret/operator_caller.h"
#include "runtime/sources/torchscript/interpret/traced_numbers.h"
#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/sources/torchscript/interpret/values/values.h"
#include "runtime/sources/torchscript/syntax/ast.h"
#include "runtime/sources/torchscript/syntax/type.h"

namespace onnxport::torchscript {

class Evaluator {
 public:
  // All must outlive this. `code` evaluates calls. `numbers` makes integers that differ in other traces.
  Evaluator(Execution* run, Code* code, OperatorCaller* operators, const Assumptions* assumptions, NumberMaker numbers)
      : run_(*run), code_(*code), operators_(*operators), assumptions_(*assumptions), numbers_(std::move(numbers)) {}

  // Adds `CONSTANTS.c0`, then `CONSTANTS.c1` ...
  void AddConstant(Value constant) { constants_.push_back(std::move(constant)); }

  Value Evaluate(const Expr& expr);
  // Evaluates the expressions from `first` on.
  ValueList EvaluateAll(const ExprList& exprs, size_t first);
  CallArguments EvaluateArguments(const Expr& call);
  // The value of a name of the archive: a constant, a function, the member of an enum.
  Value Global(const std::string& name, const Expr& expr);
  Value EnumMember(const Class& type, const std::string& name, const Expr& expr);

  // The type that an expression names. Cached.
  const Type& TypeFrom(const Expr& expr);

 private:
  Value EvaluateInt(const Expr& expr);
  Value EvaluateName(const Expr& expr);
  Value EvaluateAttribute(const Expr& expr);
  Value EvaluateSubscript(const Expr& expr);
  Value EvaluateList(const Expr& expr);
  Value EvaluateDict(const Expr& expr);
  ValueList EvaluateElements(const ExprList& exprs);  // of a container
  Value AttributeOf(const Value& object, const Expr& expr);
  Value CellAttribute(const Cell& cell, const Expr& expr);
  Value ConstantOf(const std::string& name, const Expr& expr);

  Execution& run_;
  Code& code_;
  OperatorCaller& operators_;
  const Assumptions& assumptions_;
  NumberMaker numbers_;
  ValueList constants_;
  std::unordered_map<const Expr*, Type> types_;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_EVALUATOR_H_
