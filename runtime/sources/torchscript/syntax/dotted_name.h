// Reads dotted names of operators, constants, functions and classes.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_DOTTED_NAME_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_DOTTED_NAME_H_

#include <string>
#include <string_view>

#include "runtime/sources/torchscript/syntax/ast.h"

namespace onnxport::torchscript {

// "torch.add", "x.T" or "x" for an attribute chain that starts at a name; empty for any other expression.
inline std::string DottedName(const Expr& expr) {
  std::string attributes;
  const Expr* at = &expr;
  for (; at->kind == ExprKind::kAttribute; at = &at->operands[0]) attributes = "." + at->text + attributes;
  return at->kind == ExprKind::kName ? at->text + attributes : "";
}

// The same if it names something outside the function, such as "torch.add". Empty for `self.fc` and `x.T`, which start
// at a variable. LibTorch's printer gives no variable the name of such a root.
inline std::string GlobalName(const Expr& expr) {
  const Expr* root = &expr;
  while (root->kind == ExprKind::kAttribute) root = &root->operands[0];
  const std::string_view name = root->text;
  const bool is_global = name == "__torch__" || name == "torch" || name == "ops" || name == "CONSTANTS";
  return is_global ? DottedName(expr) : "";
}

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_DOTTED_NAME_H_
