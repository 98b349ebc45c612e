// The spec language, evaluated directly over the runtime's values: what generated code would compute.
#ifndef ONNXPORT_TESTS_LANGUAGE_INTERPRETER_H_
#define ONNXPORT_TESTS_LANGUAGE_INTERPRETER_H_

#include <map>
#include <string>

#include "codegen/model/expr.h"
#include "runtime/lowering/dsl/builtins.h"

namespace onnxport::language {

using Names = std::map<std::string, lowering::Val>;

// Of operators, functions, lists and conditionals over `names`. Throws Refusal.
lowering::Val Evaluate(const codegen::Expr& expr, const Names& names);

}  // namespace onnxport::language

#endif  // ONNXPORT_TESTS_LANGUAGE_INTERPRETER_H_
