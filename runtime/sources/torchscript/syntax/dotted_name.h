// Names with dots in them: of operators, constants, functions and classes.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_DOTTED_NAME_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_DOTTED_NAME_H_

#include <string>
#include <string_view>

#include "runtime/sources/torchscript/syntax/ast.h"

namespace onnxport::torchscript {

// "torch.add", "x.T" or "x", of an attribute chain that starts at a name; empty for any other expression.
inline std::string DottedName(const Expr& expr) {
  std::string attributes;
  const Expr* at = &expr;
  for (; at->kind == ExprKind::kAttribute; at = &at->operands[0]) attributes = "." + at->text + attributes;
  return at->kind == ExprKind::kName ? at->text + attributes : "";
}

// The same where it names something outside of the function, as "torch.add" does; empty for `self.fc` and `x.T`, which
// start at a variable. No variable of LibTorch's printer is called like one of the roots.
inline std::string GlobalName(const Expr& expr) {
  std::string name = DottedName(expr);
  const std::string_view root = std::string_view(name).substr(0, name.find('.'));
  const bool is_global = root == "__torch__" || root == "torch" || root == "ops" || root == "CONSTANTS";
  return is_global ? name : "";
}

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_DOTTED_NAME_H_
