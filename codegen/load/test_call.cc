#include "codegen/load/test_call.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <memory>
#include <ranges>
#include <string_view>
#include <utility>

#include "codegen/load/expression.h"
#include "codegen/load/fields.h"
#include "codegen/load/lexer.h"
#include "codegen/load/test_value.h"
#include "codegen/model/relations.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace onnxport::codegen {
namespace {

constexpr std::string_view kWords[] = {"opset",   "tol",    "compare", "holds",    "refuses",
                                       "special", "domain", "keep",    "training", "why"};

bool IsNameCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == ':'; }

// "aten::add" of "aten::add.Tensor"
std::string_view WithoutOverload(std::string_view name) { return name.substr(0, name.find('.')); }

// Where the bracket that opens at `open` closes; npos when it does not. Brackets within quotes do not count:
// `foo("a)")`.
size_t Closing(const std::string& text, size_t open) {
  int depth = 0;
  char quote = 0;
  for (size_t i = open; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(') {
      ++depth;
    } else if (c == ')' && --depth == 0) {
      return i;
    }
  }
  return std::string::npos;
}

// `name=value`: the name, and the value without it. The name is empty for a value alone. A text may have a "=" in it
// (`"a=b"`), so only one right behind a name counts.
std::pair<std::string, PlacedText> Named(const PlacedText& part) {
  const std::string& text = part.text();
  size_t end = 0;
  while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_')) ++end;
  size_t equals = end;
  while (equals < text.size() && text[equals] == ' ') ++equals;
  if (end == 0 || equals >= text.size() || text[equals] != '=' || !IsIdentifier(text.substr(0, end))) return {"", part};
  return {text.substr(0, end), part.Part(equals + 1, text.size()).Trimmed()};
}

class CallReader {
 public:
  CallReader(const PlacedText& text, Diagnostics* diagnostics) : text_(text), diagnostics_(diagnostics) {}

  TestCase Read(const std::vector<std::string>& operators) {
    test_.place = text_.At(0);
    const std::string& text = text_.text();
    size_t open = 0;
    while (open < text.size() && IsNameCharacter(text[open])) ++open;
    const std::string name = text.substr(0, open);
    const size_t close = open < text.size() && text[open] == '(' ? Closing(text, open) : std::string::npos;
    if (name.empty() || close == std::string::npos) {
      Error(text_.At(0), kNoTestCall);
      return test_;
    }
    // The call is taken apart by hand, since tensors are no expressions of the language: `f32[2,3] in -1..1`.
    test_.operators = OperatorsNamed(name, operators);
    if (test_.operators.empty())
      Error(text_.At(0),
            fmt::format("`{}` is none of the entry's operators: {}", name.substr(0, 80), fmt::join(operators, ", ")));
    Arguments(text_.Part(open + 1, close).Trimmed());
    Words(text_.Part(close + 1, text.size()).Trimmed());
    return test_;
  }

 private:
  void Error(const Place& place, std::string message) { diagnostics_->Error(place, std::move(message)); }

  void Arguments(const PlacedText& text) {
    if (text.text().empty()) return;
    for (const PlacedText& part : SplitArguments(text)) {
      auto [name, value] = Named(part);
      if (name.empty() && !test_.args.empty() && !test_.args.back().first.empty())
        Error(part.At(0), "a positional argument after a named one");
      const bool repeats = std::any_of(test_.args.begin(), test_.args.end(),
                                       [&](const auto& arg) { return !name.empty() && arg.first == name; });
      if (repeats) Error(part.At(0), fmt::format("argument `{}` repeats", name));
      if (auto read = ReadTestValue(value, diagnostics_)) test_.args.emplace_back(name, std::move(*read));
    }
  }

  void Words(const PlacedText& text) {
    if (text.text().empty()) return;
    if (!text.text().starts_with("with ")) {
      Error(text.At(0), "expected the end, or `with word=value, ...`");
      return;
    }
    for (const PlacedText& part : SplitArguments(text.Part(5, text.text().size()).Trimmed())) {
      const auto [word, value] = Named(part);
      // The values of words are expressions: numbers, texts, lists, and for `holds` equations.
      const ExprPtr expr = word.empty() ? nullptr : ParseExpression(value, diagnostics_);
      if (word.empty())
        Error(part.At(0), fmt::format("after `with` there are words with values: {}", fmt::join(kWords, ", ")));
      if (expr != nullptr) Word(word, *expr, part.At(0));
    }
    CheckReason(text.At(0));
  }

  // A test that leaves out a comparison must give the reason. A refusal is a reason. Random results need none, since
  // they are never equal.
  void CheckReason(const Place& place) {
    const bool less =
        (!test_.opsets.empty() && test_.refuses.empty()) || test_.tolerance || test_.compared == Compared::kShape;
    if (less && test_.why.empty())
      Error(place, "say why not every opset, tolerance or value will do: `why=\"reason\"`");
    if (!less && !test_.why.empty())
      Error(place, "`why` gives the reason for `opset`, `tol` or a `compare` that is less");
  }

  void Word(const std::string& word, const Expr& value, const Place& place) {
    if (word == "opset") {
      if (value.kind == ExprKind::kList)
        for (const ExprPtr& item : value.operands) test_.opsets.push_back(Opset(*item));
      else
        test_.opsets.push_back(Opset(value));
    } else if (word == "tol") {
      const double number = value.kind == ExprKind::kInt ? static_cast<double>(value.int_value) : value.float_value;
      if ((value.kind != ExprKind::kInt && value.kind != ExprKind::kFloat) || !(number >= 0 && number <= 1))
        Error(value.place, "`tol` is a number from 0 to 1");
      test_.tolerance = number;
    } else if (word == "refuses") {
      test_.refuses = Sentence(word, value);
    } else if (word == "special") {
      test_.special = Sentence(word, value);
    } else if (word == "domain") {
      test_.domain = Sentence(word, value);
    } else if (word == "keep") {
      test_.keep = Sentence(word, value);
    } else if (word == "training") {
      test_.training = value.kind == ExprKind::kBool && value.bool_value;
      if (!test_.training) Error(value.place, "`training` is True, or left out");
    } else if (word == "why") {
      test_.why = Sentence(word, value);
    } else if (word == "compare") {
      const std::string compared = Sentence(word, value);
      if (compared == "distribution")
        test_.compared = Compared::kDistribution;
      else if (compared == "shape")
        test_.compared = Compared::kShape;
      else
        Error(
            value.place,
            "`compare` is \"distribution\" for random results, or \"shape\": dtype and shape only; `holds` states what "
            "is true of results that are not unique");
    } else if (word == "holds") {
      test_.compared = Compared::kRelations;
      test_.holds = value.kind == ExprKind::kList ? value.operands : std::vector{std::make_shared<const Expr>(value)};
      for (const ExprPtr& relation : test_.holds) CheckRelation(*relation);
    } else {
      Error(place, fmt::format("`{}` is no word of a test{} (words: {})", word, DidYouMean(word, kWords),
                               fmt::join(kWords, ", ")));
    }
  }

  void CheckRelation(const Expr& relation) {
    if (!relation.Is(Operator::kEqual)) return Error(relation.place, "`holds` states equations: `a == b`");
    for (const ExprPtr& side : relation.operands) CheckRelated(*side);
  }

  // A side of an equation: names, numbers, + - * and kRelationFunctions.
  void CheckRelated(const Expr& side) {
    const bool infix = side.Is(Operator::kAdd) || side.Is(Operator::kSubtract) || side.Is(Operator::kMultiply);
    if (side.kind == ExprKind::kCall) {
      const auto* function = std::ranges::find(kRelationFunctions, side.text, &RelationFunction::name);
      if (function == std::end(kRelationFunctions))
        return Error(side.place,
                     fmt::format("`{}` is no function of `holds`; there are {}", side.text,
                                 fmt::join(std::views::transform(kRelationFunctions, &RelationFunction::name), ", ")));
      const size_t count = side.operands.size();
      if (count < function->min_args || count > function->max_args || !side.named.empty())
        Error(side.place, fmt::format("`{}` takes other arguments", side.text));
      if (side.text == "pytorch" && count == 1 && side.operands[0]->kind != ExprKind::kName)
        Error(side.place, "`pytorch` takes the name of a result");
    } else if (!infix && side.kind != ExprKind::kName && side.kind != ExprKind::kInt && side.kind != ExprKind::kFloat) {
      return Error(side.place, "`holds` has names, numbers, `+ - *` and calls");
    }
    for (const ExprPtr& operand : side.operands) CheckRelated(*operand);
  }

  int Opset(const Expr& value) {
    if (value.kind == ExprKind::kInt && value.int_value >= 1 && value.int_value <= kLargestOpset)
      return static_cast<int>(value.int_value);
    Error(value.place, fmt::format("an opset is a whole number from 1 to {}", kLargestOpset));
    return kLargestOpset;
  }

  std::string Sentence(const std::string& word, const Expr& value) {
    if (value.kind != ExprKind::kString || value.text.empty())
      Error(value.place, fmt::format("`{}` is a text in quotes", word));
    return value.text;
  }

  const PlacedText& text_;
  Diagnostics* diagnostics_;
  TestCase test_;
};

}  // namespace

std::vector<std::string> OperatorsNamed(const std::string& name, const std::vector<std::string>& operators) {
  if (name == "each") return operators;
  std::vector<std::string> overloads;
  for (const std::string& full : operators) {
    const std::string_view known =
        name.find("::") == std::string::npos ? std::string_view(full).substr(full.find("::") + 2) : full;
    // An exact name wins: `add.Tensor` is that overload; `add` is all of them, unless there is an overload without a
    // name.
    if (known == name) return {full};
    if (WithoutOverload(known) == name) overloads.push_back(full);
  }
  return overloads;
}

TestCase ReadTestCall(const PlacedText& text, const std::vector<std::string>& operators, Diagnostics* diagnostics) {
  return CallReader(text, diagnostics).Read(operators);
}

}  // namespace onnxport::codegen
