// Parses `code/*.py` into classes and functions.
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

// `module` is the dotted name of the file ("__torch__.torch.nn.modules.linear"), the prefix of qualified names. `file`
// is stored in every function (it is not read, and may be null). Nesting is limited (kMaxNesting). Throws
// onnxport::Error (kBadInput) with module and line for text outside the language.
inline constexpr int kMaxNesting = 200;
Definitions Parse(std::string_view text, const std::string& module, const SourceFile* file);

// Prints the source in a normal form: one statement a line. For `inspect` and golden files; Parse(ToText(x)) == x.
std::string ToText(const Function& function, int indent = 0);
std::string ToText(const Expr& expr);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_PARSER_H_
