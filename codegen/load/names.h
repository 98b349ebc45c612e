// Words of the expression language, and the names that a spec may use.
#ifndef ONNXPORT_CODEGEN_LOAD_NAMES_H_
#define ONNXPORT_CODEGEN_LOAD_NAMES_H_

#include <optional>
#include <string>
#include <string_view>

#include "codegen/model/expr.h"

namespace onnxport::codegen {

bool IsKeyword(std::string_view word);      // and, or, not, in, if, else, for
bool IsLiteralWord(std::string_view word);  // None, True, inf ...

// Returns the value of a word that means the same everywhere: a literal, `pi`, `opset`, a dtype. The result has no
// place. Returns nothing for other words.
std::optional<Expr> ConstantWord(std::string_view word);

bool IsDTypeWord(std::string_view word);  // float32, int64, bool ...

// Says why a spec cannot define this name; empty if it can. A name that is reserved only in generated code (`c`,
// `Vals`) is allowed: emit/local_names.h renames it.
std::string NewNameProblem(std::string_view name);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_LOAD_NAMES_H_
