// Names of what is not a variable: operators, constants, functions and classes of the archive.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_DOTTED_NAME_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_DOTTED_NAME_H_

#include <string>

#include "runtime/sources/torchscript/syntax/ast.h"

namespace onnxport::torchscript {

// "torch.add" of an attribute chain that starts at a global name; empty for any other expression.
// `self.fc` and `x.T` start at a variable: they are no such names. No variable of the printer is called like a root.
inline std::string DottedNameOf(const Expr& expr) {
  std::string name;
  const Expr* at = &expr;
  for (; at->kind == ExprKind::kAttribute; at = &at->operands[0]) name = "." + at->text + name;
  const auto is_root = [&](const char* root) { return at->text == root; };
  const bool global = at->kind == ExprKind::kName &&
                      (is_root("__torch__") || is_root("torch") || is_root("ops") || is_root("CONSTANTS"));
  return global ? at->text + name : "";
}

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_DOTTED_NAME_H_
