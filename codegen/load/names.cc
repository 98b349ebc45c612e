#include "codegen/load/names.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numbers>

#include "codegen/load/lexer.h"
#include "codegen/model/cpp_keywords.h"
#include "fmt/format.h"
#include "runtime/ir/dtype.h"

namespace onnxport::codegen {
namespace {

struct LiteralRow {
  std::string_view word;
  ExprKind kind;
  bool bool_value;
  double float_value;
};

// Python's spelling and YAML's: `true` in a flow map is as good as True. The formatter writes Python's.
constexpr LiteralRow kLiterals[] = {{"None", ExprKind::kNone, false, 0},
                                    {"none", ExprKind::kNone, false, 0},
                                    {"null", ExprKind::kNone, false, 0},
                                    {"True", ExprKind::kBool, true, 0},
                                    {"true", ExprKind::kBool, true, 0},
                                    {"False", ExprKind::kBool, false, 0},
                                    {"false", ExprKind::kBool, false, 0},
                                    {"inf", ExprKind::kFloat, false, std::numeric_limits<double>::infinity()},
                                    {"nan", ExprKind::kFloat, false, std::numeric_limits<double>::quiet_NaN()}};

const LiteralRow* FindLiteral(std::string_view word) {
  const auto* row =
      std::find_if(std::begin(kLiterals), std::end(kLiterals), [&](const auto& r) { return r.word == word; });
  return row == std::end(kLiterals) ? nullptr : row;
}

// Sorted. `lambda`, `import` and the like are words of Python that this language has no use for: as names they would
// look wrong to every editor.
constexpr std::string_view kKeywords[] = {"and", "await",  "else", "for", "if",   "import", "in",
                                          "is",  "lambda", "not",  "or",  "pass", "return", "yield"};

}  // namespace

bool IsKeyword(std::string_view word) { return std::binary_search(std::begin(kKeywords), std::end(kKeywords), word); }

bool IsLiteralWord(std::string_view word) { return FindLiteral(word) != nullptr; }

std::optional<Expr> ConstantWord(std::string_view word) {
  Expr expr;
  if (const LiteralRow* row = FindLiteral(word)) {
    expr.kind = row->kind;
    expr.bool_value = row->bool_value;
    expr.float_value = row->float_value;
  } else if (word == "int64_max" || word == "int64_min") {
    using Limits = std::numeric_limits<int64_t>;
    expr.kind = ExprKind::kInt;
    expr.int_value = word == "int64_max" ? Limits::max() : Limits::min();
  } else if (word == "pi") {
    expr.kind = ExprKind::kFloat;
    expr.float_value = std::numbers::pi;
  } else if (word == "opset") {
    expr.kind = ExprKind::kOpset;
  } else if (IsDTypeWord(word)) {
    expr.kind = ExprKind::kDType;
    expr.dtype = *ir::ParseDType(word);
  } else {
    return std::nullopt;
  }
  return expr;
}

bool IsDTypeWord(std::string_view word) {
  const auto dtype = ir::ParseDType(word);
  // `float32` and not `f32`: the short words belong to tests, where tensors are written.
  return dtype && ir::Name(*dtype) == word;
}

std::string NewNameProblem(std::string_view name) {
  if (!IsIdentifier(name))
    return fmt::format("`{}` is not a name: letters, digits and `_`, not a digit first, at most 64",
                       name.substr(0, 80));
  if (IsKeyword(name) || ConstantWord(name) || name == "domain") {
    return fmt::format("`{}` means something else in an expression; choose another name", name);
  }
  if (IsCppKeyword(name)) return fmt::format("`{}` is a word of C++; choose another name", name);
  if (name[0] == '_' || name.find("__") != std::string_view::npos) {
    return fmt::format("`{}`: names with a leading or double `_` are C++'s own", name);
  }
  return {};
}

}  // namespace onnxport::codegen
