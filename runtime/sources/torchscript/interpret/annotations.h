// The statements and questions of code about types: `x : int = y`, `annotate(List[int], [])`, `isinstance(x, int)`.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_ANNOTATIONS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_ANNOTATIONS_H_

#include "runtime/sources/torchscript/interpret/evaluator.h"
#include "runtime/sources/torchscript/interpret/execution.h"
#include "runtime/sources/torchscript/interpret/operator_caller.h"
#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/sources/torchscript/syntax/ast.h"

namespace onnxport::torchscript {

class Annotations {
 public:
  // All must outlive this.
  Annotations(Execution* run, Evaluator* evaluator, OperatorCaller* operators)
      : run_(*run), evaluator_(*evaluator), operators_(*operators) {}

  // The value as one of that type. A tensor that is said to be a number is converted, as LibTorch does implicitly; an
  // empty list learns what it holds. `at`: where.
  Value Annotate(const Expr& type, Value value, const Expr& at);
  // Evaluates the call `isinstance(value, types)`.
  Value IsInstance(const Expr& call);

 private:
  Execution& run_;
  Evaluator& evaluator_;
  OperatorCaller& operators_;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_ANNOTATIONS_H_
