// Text of `code/*.py` -> classes and functions.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_PARSER_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_PARSER_H_

#include <string>
#include <string_view>
#include <vector>

#include "runtime/sources/torchscript/syntax/ast.h"

namespace onnxport::torchscript {

struct Definitions {
  std::vector<Class, BudgetAllocator<Class>> classes;
  std::vector<Function, BudgetAllocator<Function>> functions;
};

// `module` is the dotted name of the file ("__torch__.torch.nn.modules.linear"), the prefix of qualified names.
// `file` is kept in every function (not read; may be null). Nesting is capped (kMaxNesting).
// Throws onnxport::Error (kBadInput) with module and line for text outside the language.
inline constexpr int kMaxNesting = 200;
Definitions Parse(std::string_view text, const std::string& module, const SourceFile* file);

// The source again, normalised: one statement a line. For `inspect` and goldens; Parse(ToText(x)) == x.
std::string ToText(const Function& function, int indent = 0);
std::string ToText(const Expr& expr);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_PARSER_H_
