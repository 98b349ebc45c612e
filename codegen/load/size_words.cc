#include "codegen/load/size_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "codegen/load/expression.h"
#include "codegen/load/lexer.h"
#include "codegen/model/expr.h"

namespace onnxport::codegen {
namespace {

constexpr std::string_view kAnySize = "?";

// Between commas that no bracket holds; nothing for an empty text, which is a tensor without axes. `n, min(a, b)` are
// two sizes.
std::vector<PlacedText> SplitSizes(const PlacedText& text) {
  const std::string& whole = text.text();
  if (text.Trimmed().text().empty()) return {};
  std::vector<PlacedText> words;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= whole.size(); ++i) {
    if (i < whole.size() && (whole[i] == '(' || whole[i] == '[')) ++depth;
    if (i < whole.size() && (whole[i] == ')' || whole[i] == ']')) --depth;
    if (i < whole.size() && (whole[i] != ',' || depth > 0)) continue;
    words.push_back(text.Part(begin, i).Trimmed());
    begin = i + 1;
  }
  return words;
}

bool IsNumber(const std::string& word) {
  return !word.empty() && word.size() <= 18 && word.find_first_not_of("0123456789") == std::string::npos;
}

// An expression as text that ir::Dim::Parse reads. `2*k + 1` becomes "((2*k) + 1)", `n // 2` "FloorDiv(n, 2)". The text
// is read by ir::Dim::Parse when a node is typed (lowering/types/declared_types), in the same notation in which
// torch.export states sizes.
class SizeWriter {
 public:
  SizeWriter(const SizeNames& names, Diagnostics* diagnostics) : names_(names), diagnostics_(diagnostics) {}

  std::string Write(const Expr& expr) {
    switch (expr.kind) {
      case ExprKind::kInt:
        return fmt::format("{}", expr.int_value);
      case ExprKind::kName:
        return Name(expr);
      case ExprKind::kArithmetic:
        return Arithmetic(expr);
      case ExprKind::kBuiltin:
        if ((expr.builtin == Builtin::kMin || expr.builtin == Builtin::kMax) && expr.operands.size() == 2)
          return Call(expr.builtin == Builtin::kMin ? "Min" : "Max", expr);
        break;
      default:
        break;
    }
    diagnostics_->Error(expr.place, "a size is made of names, whole numbers, `+ - * // %`, min and max of two");
    // Reported; any text that parses will do now.
    return "0";
  }

 private:
  std::string Name(const Expr& expr) {
    if (names_.sizes.contains(expr.text)) return expr.text;
    const std::vector<std::string_view> known(names_.sizes.begin(), names_.sizes.end());
    diagnostics_->Error(expr.place, names_.lists.contains(expr.text)
                                        ? fmt::format("`{}` is a list of sizes: write `*{}`", expr.text, expr.text)
                                        : fmt::format("no input and no int attribute gives a size `{}`{}", expr.text,
                                                      DidYouMean(expr.text, known)));
    return "0";
  }

  std::string Arithmetic(const Expr& expr) {
    switch (expr.op) {
      case Operator::kAdd:
        return Infix(" + ", expr);
      case Operator::kSubtract:
        return Infix(" - ", expr);
      case Operator::kMultiply:
        return Infix("*", expr);
      case Operator::kFloorDivide:
        return Call("FloorDiv", expr);
      case Operator::kModulo:
        return Call("PythonMod", expr);
      default:
        diagnostics_->Error(expr.place, "a size is computed with `+ - * // %`, min and max");
        return "0";
    }
  }

  std::string Infix(std::string_view op, const Expr& expr) {
    return fmt::format("({}{}{})", Write(*expr.operands[0]), op, Write(*expr.operands[1]));
  }

  std::string Call(std::string_view function, const Expr& expr) {
    return fmt::format("{}({}, {})", function, Write(*expr.operands[0]), Write(*expr.operands[1]));
  }

  const SizeNames& names_;
  Diagnostics* diagnostics_;
};

}  // namespace

std::vector<std::string> ReadInputSizes(const PlacedText& text, SizeNames* names, Diagnostics* diagnostics) {
  std::vector<std::string> words;
  int lists = 0;
  for (const PlacedText& size : SplitSizes(text)) {
    const std::string& word = size.text();
    words.push_back(word);
    if (word == kAnySize || IsNumber(word)) continue;
    const bool list = word.starts_with('*');
    const PlacedText name = list ? size.Part(1, word.size()) : size;
    if (!IsIdentifier(name.text())) {
      diagnostics->Error(size.At(0),
                         fmt::format("a size of an input is a name, a number, `?`, or `*name` for any number "
                                     "of axes; here is `{}`",
                                     word.substr(0, 80)));
      continue;
    }
    if (!CheckNewName(name, diagnostics)) continue;
    if (list && ++lists > 1) diagnostics->Error(size.At(0), "a second `*` in one input: what is whose is not known");
    // `x: T[n]` and `y: T[*n]` would mean different things by one name. The same name twice as a size says that the two
    // are equal.
    if ((list ? names->sizes : names->lists).contains(name.text()))
      diagnostics->Error(size.At(0), fmt::format("`{}` is one size and a list of sizes", name.text()));
    (list ? names->lists : names->sizes).insert(name.text());
  }
  return words;
}

std::vector<std::string> ReadResultSizes(const PlacedText& text, const SizeNames& names, Diagnostics* diagnostics) {
  std::vector<std::string> words;
  for (const PlacedText& size : SplitSizes(text)) {
    const std::string& word = size.text();
    if (word == kAnySize) {
      words.push_back(word);
    } else if (word.starts_with('*')) {
      words.push_back(word);
      const std::vector<std::string_view> known(names.lists.begin(), names.lists.end());
      if (!names.lists.contains(word.substr(1)))
        diagnostics->Error(size.At(0), fmt::format("no input has sizes `{}`{}", word.substr(0, 80),
                                                   DidYouMean(word.substr(1), known)));
    } else if (const ExprPtr expr = ParseExpression(size, diagnostics)) {
      words.push_back(SizeWriter(names, diagnostics).Write(*expr));
    }
  }
  return words;
}

}  // namespace onnxport::codegen
