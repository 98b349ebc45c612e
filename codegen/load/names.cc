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

// As Python spells them. `none` and `true` are names, which an operator may give to its arguments.
constexpr LiteralRow kLiterals[] = {{"None", ExprKind::kNone, false, 0},
                                    {"True", ExprKind::kBool, true, 0},
                                    {"False", ExprKind::kBool, false, 0},
                                    {"inf", ExprKind::kFloat, false, std::numeric_limits<double>::infinity()},
                                    {"nan", ExprKind::kFloat, false, std::numeric_limits<double>::quiet_NaN()}};

const LiteralRow* FindLiteral(std::string_view word) {
  const auto* row =
      std::find_if(std::begin(kLiterals), std::end(kLiterals), [&](const auto& r) { return r.word == word; });
  return row == std::end(kLiterals) ? nullptr : row;
}

// Sorted. No argument has such a name: they are key words of PyTorch's schemas, too.
constexpr std::string_view kKeywords[] = {"and", "else", "for", "if", "in", "not", "or"};

// Sorted. Names that an operator may have given to an argument, where a spec would only mislead with them: words of
// Python, and literals in other spellings.
constexpr std::string_view kMisleading[] = {"await", "domain", "false", "import", "is",   "lambda",
                                            "none",  "null",   "pass",  "return", "true", "yield"};

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
  if (IsKeyword(name) || ConstantWord(name) || std::ranges::binary_search(kMisleading, name)) {
    return fmt::format("`{}` means something else in an expression; choose another name", name);
  }
  if (IsCppKeyword(name)) return fmt::format("`{}` is a word of C++; choose another name", name);
  if (name[0] == '_' || name.find("__") != std::string_view::npos) {
    return fmt::format("`{}`: names with a leading or double `_` are C++'s own", name);
  }
  return {};
}

}  // namespace onnxport::codegen
