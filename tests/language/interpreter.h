// The spec language, evaluated directly over the runtime's values: what generated code would compute.
#ifndef ONNXPORT_TESTS_LANGUAGE_INTERPRETER_H_
#define ONNXPORT_TESTS_LANGUAGE_INTERPRETER_H_

#include <map>
#include <string>

#include "codegen/model/expr.h"
#include "runtime/lowering/dsl/context.h"

namespace onnxport::language {

// It interprets operators, functions, lists and conditionals. The scope handles terms whose meaning depends on their
// place.
class Interpreter {
 public:
  explicit Interpreter(lowering::Context* context) : context_(*context) {}
  virtual ~Interpreter() = default;
  // Throws Refusal.
  lowering::Val Evaluate(const codegen::Expr& expr);

 protected:
  virtual lowering::Val Name(const std::string& name) = 0;
  // Interprets a number or a dtype, which a word may have given: `nan`, `float32`.
  virtual lowering::Val Constant(const codegen::Expr& expr);
  // Nodes, calls of definitions, comprehensions, `opset`. Throws std::logic_error where there are none.
  virtual lowering::Val Other(const codegen::Expr& expr);
  // The elements of a list that is written down; of `*list` those in it.
  lowering::Vals Elements(const codegen::Expr& expr);

  lowering::Context& context_;
};

using Names = std::map<std::string, lowering::Val>;

lowering::Val Evaluate(const codegen::Expr& expr, const Names& names, lowering::Context* context);

}  // namespace onnxport::language

#endif  // ONNXPORT_TESTS_LANGUAGE_INTERPRETER_H_
