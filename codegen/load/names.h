// Words of the expression language, and which names a spec may give.
#ifndef ONNXPORT_CODEGEN_LOAD_NAMES_H_
#define ONNXPORT_CODEGEN_LOAD_NAMES_H_

#include <optional>
#include <string>
#include <string_view>

#include "codegen/model/expr.h"

namespace onnxport::codegen {

bool IsKeyword(std::string_view word);      // and, or, not, in, if, else, for
bool IsLiteralWord(std::string_view word);  // None, True, inf ...

// The meaning of a word that is the same everywhere: a literal, `pi`, `opset`, a dtype. The result has no place;
// nothing for other words.
std::optional<Expr> ConstantWord(std::string_view word);

bool IsDTypeWord(std::string_view word);  // float32, int64, bool ...

// Why a name cannot be given to something new; empty when it can. A name that is reserved in generated code only (`c`,
// `Vals`) is no problem here: emit/local_names.h renames it.
std::string NewNameProblem(std::string_view name);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_LOAD_NAMES_H_
