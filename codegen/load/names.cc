#include "codegen/load/names.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "codegen/load/lexer.h"
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

// Sorted.
constexpr std::string_view kKeywords[] = {"and", "await",  "else", "for", "if",   "import", "in",
                                          "is",  "lambda", "not",  "or",  "pass", "return", "yield"};

constexpr std::string_view kCppKeywords[] = {
    "alignas",     "alignof",  "and",        "and_eq",    "asm",       "auto",         "bitand",
    "bitor",       "bool",     "break",      "case",      "catch",     "char",         "char16_t",
    "char32_t",    "char8_t",  "class",      "co_await",  "co_return", "co_yield",     "compl",
    "concept",     "const",    "const_cast", "consteval", "constexpr", "constinit",    "continue",
    "decltype",    "default",  "delete",     "do",        "double",    "dynamic_cast", "else",
    "enum",        "explicit", "export",     "extern",    "false",     "float",        "for",
    "friend",      "goto",     "if",         "inline",    "int",       "long",         "mutable",
    "namespace",   "new",      "noexcept",   "not",       "not_eq",    "nullptr",      "operator",
    "or",          "or_eq",    "private",    "protected", "public",    "register",     "reinterpret_cast",
    "requires",    "return",   "short",      "signed",    "sizeof",    "static",       "static_assert",
    "static_cast", "struct",   "switch",     "template",  "this",      "thread_local", "throw",
    "true",        "try",      "typedef",    "typeid",    "typename",  "union",        "unsigned",
    "using",       "virtual",  "void",       "volatile",  "wchar_t",   "while",        "xor",
    "xor_eq"};

}  // namespace

bool IsKeyword(std::string_view word) { return std::binary_search(std::begin(kKeywords), std::end(kKeywords), word); }

bool IsLiteralWord(std::string_view word) { return FindLiteral(word) != nullptr; }

ExprKind LiteralKind(std::string_view word) { return FindLiteral(word)->kind; }

Expr LiteralExpr(std::string_view word, const Place& place) {
  const LiteralRow& row = *FindLiteral(word);
  Expr expr;
  expr.kind = row.kind;
  expr.place = place;
  expr.bool_value = row.bool_value;
  expr.float_value = row.float_value;
  return expr;
}

bool IsDTypeWord(std::string_view word) {
  const auto dtype = ir::ParseDType(word);
  return dtype && ir::Name(*dtype) == word;
}

bool IsCppKeyword(std::string_view word) {
  return std::find(std::begin(kCppKeywords), std::end(kCppKeywords), word) != std::end(kCppKeywords);
}

std::string NewNameProblem(std::string_view name) {
  if (!IsIdentifier(name))
    return fmt::format("`{}` is not a name: letters, digits and `_`, not a digit first, at most 64",
                       name.substr(0, 80));
  if (IsKeyword(name) || IsLiteralWord(name) || IsDTypeWord(name) || name == "opset" || name == "domain" ||
      name == "pi") {
    return fmt::format("`{}` means something else in an expression; choose another name", name);
  }
  if (IsCppKeyword(name)) return fmt::format("`{}` is a word of C++; choose another name", name);
  if (name[0] == '_' || name.find("__") != std::string_view::npos) {
    return fmt::format("`{}`: names with a leading or double `_` are C++'s own", name);
  }
  return {};
}

}  // namespace onnxport::codegen
