// Parses statements and function headers of serialized TorchScript.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_STATEMENTS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_STATEMENTS_H_

#include <vector>

#include "runtime/sources/torchscript/syntax/ast.h"
#include "runtime/sources/torchscript/syntax/tokens.h"

namespace onnxport::torchscript {

// Parses from `def` to the end of the body. The caller sets the qualified name and the file.
Function ParseFunction(Tokens* tokens);

// Parses `:`, then an indented block.
StmtList ParseBlock(Tokens* tokens);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_STATEMENTS_H_
