// Expressions and types of serialized TorchScript.
#ifndef ONNXPORT_RUNTIME_TORCHSCRIPT_SYNTAX_EXPRESSIONS_H_
#define ONNXPORT_RUNTIME_TORCHSCRIPT_SYNTAX_EXPRESSIONS_H_

#include "runtime/torchscript/syntax/ast.h"
#include "runtime/torchscript/syntax/tokens.h"

namespace onnxport::torchscript {

// One expression, no tuple without brackets.
Expr ParseExpr(Tokens* tokens);
// `a`, `a, b`, `a,`: the right side of an assignment. *unpacks: there was a comma.
Expr ParseTuple(Tokens* tokens, bool* has_comma);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_TORCHSCRIPT_SYNTAX_EXPRESSIONS_H_
