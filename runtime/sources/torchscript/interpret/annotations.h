// Evaluates type annotations and checks: `x : int = y`, `annotate(List[int], [])`, `isinstance(x, int)`.
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

  // Returns the value with that type. A tensor annotated as a number is converted, as LibTorch does implicitly. An
  // empty list gets its element type. `at` is the place.
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
