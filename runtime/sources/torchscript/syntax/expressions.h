// Parses expressions and types of serialized TorchScript.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_EXPRESSIONS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_EXPRESSIONS_H_

#include "runtime/sources/torchscript/syntax/ast.h"
#include "runtime/sources/torchscript/syntax/tokens.h"

namespace onnxport::torchscript {

// Parses one expression; a tuple needs parentheses.
Expr ParseExpr(Tokens* tokens);
// Parses `a`, `a, b` or `a,`: either side of an assignment. *has_comma: there was a comma, so the left side unpacks.
Expr ParseTuple(Tokens* tokens, bool* has_comma);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_EXPRESSIONS_H_
