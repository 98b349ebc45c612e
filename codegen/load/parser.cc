#include "codegen/load/parser.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "codegen/load/names.h"
#include "fmt/format.h"

namespace onnxport::codegen {
namespace {

constexpr int kMaxDepth = 50;
constexpr int kMaxNodes = 1500;
constexpr size_t kMaxTargets = 64;

// How strongly a binary operator binds; 0: none.
enum Binding { kNoBinding = 0, kOr = 1, kAnd = 2, kNot = 3, kCompare = 4, kSum = 5, kProduct = 6 };

int BindingOf(const Token& token) {
  struct Row {
    std::string_view text;
    int binding;
  };
  static constexpr Row kRows[] = {{"or", kOr},      {"and", kAnd},    {"in", kCompare}, {"not", kCompare},
                                  {"==", kCompare}, {"!=", kCompare}, {"<", kCompare},  {"<=", kCompare},
                                  {">", kCompare},  {">=", kCompare}, {"+", kSum},      {"-", kSum},
                                  {"*", kProduct},  {"/", kProduct},  {"//", kProduct}, {"%", kProduct}};
  if (token.kind != TokenKind::kSymbol && token.kind != TokenKind::kName) return kNoBinding;
  for (const Row& row : kRows) {
    if (row.text == token.text) return row.binding;
  }
  return kNoBinding;
}

}  // namespace

class Parser::Nesting {
 public:
  explicit Nesting(Parser* parser) : parser_(parser) {
    if (++parser->depth_ > kMaxDepth)
      parser->Fail(fmt::format("nested deeper than {} levels; name parts of it in `let`", kMaxDepth));
  }
  ~Nesting() { --parser_->depth_; }

 private:
  Parser* parser_;
};

Parser::Parser(const PlacedText& text) : text_(text), tokens_(Tokenize(text.text())) {}

Place Parser::place() const { return text_.At(current().begin); }

std::string Parser::Seen() const {
  if (current().kind == TokenKind::kEnd) return "the end";
  return fmt::format("`{}`",
                     text_.text().substr(current().begin, std::min<size_t>(current().end - current().begin, 40)));
}

void Parser::Fail(const std::string& message) const { throw SyntaxError{current().begin, message}; }

bool Parser::Sees(std::string_view word) const {
  return (current().kind == TokenKind::kSymbol || current().kind == TokenKind::kName) && current().text == word;
}

bool Parser::Accept(std::string_view word) {
  if (!Sees(word)) return false;
  ++index_;
  return true;
}

void Parser::Expect(std::string_view word) {
  if (!Accept(word)) Fail(fmt::format("expected `{}`, found {}", word, Seen()));
}

void Parser::ExpectEnd() {
  if (current().kind != TokenKind::kEnd) Fail(fmt::format("expected an operator or the end, found {}", Seen()));
}

std::string Parser::Word(std::string_view what) {
  if (current().kind != TokenKind::kName) Fail(fmt::format("expected {}, found {}", what, Seen()));
  return tokens_[index_++].text;
}

std::string Parser::NewName() {
  if (current().kind != TokenKind::kName) Fail(fmt::format("expected a name, found {}", Seen()));
  const std::string problem = NewNameProblem(current().text);
  if (!problem.empty()) Fail(problem);
  return tokens_[index_++].text;
}

std::vector<std::string> Parser::Targets() {
  std::vector<std::string> names;
  do {
    const size_t position = index_;
    if (names.size() == kMaxTargets) Fail(fmt::format("more than {} names", kMaxTargets));
    names.push_back(NewName());
    if (std::count(names.begin(), names.end(), names.back()) > 1) {
      index_ = position;
      Fail(fmt::format("`{}` repeats", names.back()));
    }
  } while (Accept(","));
  return names;
}

Expr* Parser::New(ExprKind kind, ExprPtr* holder, size_t position) {
  if (++nodes_ > kMaxNodes) {
    throw SyntaxError{position, fmt::format("more than {} terms; name parts of it in `let`", kMaxNodes)};
  }
  auto expr = std::make_shared<Expr>();
  expr->kind = kind;
  expr->place = text_.At(position);
  Expr* raw = expr.get();
  *holder = std::move(expr);
  return raw;
}

ExprPtr Parser::Make(ExprKind kind, size_t position, std::initializer_list<ExprPtr> operands, std::string text) {
  ExprPtr result;
  Expr* expr = New(kind, &result, position);
  expr->operands = operands;
  expr->text = std::move(text);
  return result;
}

ExprPtr Parser::Expression() {
  const Nesting nesting(this);
  const size_t position = current().begin;
  ExprPtr value = Operators();
  if (!Accept("if")) return value;
  ExprPtr condition = Operators();
  if (!Sees("else")) Fail(fmt::format("expected `else`, found {}: a conditional is `a if condition else b`", Seen()));
  Expect("else");
  return Make(ExprKind::kConditional, position, {std::move(value), std::move(condition), Expression()});
}

std::string Parser::Comparison() {
  std::string text = tokens_[index_++].text;
  if (text != "not") return text;
  Expect("in");
  return "not in";
}

// Precedence climbing; `binding` is that of the operator to the left.
ExprPtr Parser::Operators(int binding) {
  const size_t start = current().begin;
  ExprPtr left;
  if (binding < kCompare && Accept("not")) {
    const Nesting nesting(this);
    left = Make(ExprKind::kUnary, start, {Operators(kNot)}, "not");
  } else {
    left = Unary();
  }
  while (true) {
    const int next = BindingOf(current());
    if (next <= binding || (Sees("not") && following().text != "in")) return left;
    const size_t position = current().begin;
    std::string text = next == kCompare ? Comparison() : tokens_[index_++].text;
    ExprPtr right = Operators(next);
    left = Make(ExprKind::kBinary, position, {std::move(left), std::move(right)}, std::move(text));
    if (next == kCompare && BindingOf(current()) == kCompare) {
      Fail("comparisons do not chain; write `a < b and b < c`");
    }
  }
}

ExprPtr Parser::Unary() {
  const size_t position = current().begin;
  if (Sees("+")) Fail("a leading `+` is not part of the language");
  if (!Accept("-")) return Power();
  const Nesting nesting(this);
  const bool binds_tighter = following().text == "**" || following().text == "[";
  const bool is_infinity = current().kind == TokenKind::kName && current().text == "inf";
  if (!binds_tighter && (is_infinity || IsNumber(current()))) return NegativeNumber(position);
  return Make(ExprKind::kUnary, position, {Unary()}, "-");
}

// `-1` is a literal.
ExprPtr Parser::NegativeNumber(size_t position) {
  const Token token = tokens_[index_++];
  ExprPtr result;
  Expr* expr = New(token.kind == TokenKind::kInt ? ExprKind::kInt : ExprKind::kFloat, &result, position);
  expr->int_value = static_cast<int64_t>(0 - token.int_value);
  expr->float_value = token.kind == TokenKind::kName ? -std::numeric_limits<double>::infinity() : -token.float_value;
  return result;
}

ExprPtr Parser::Power() {
  ExprPtr base = Postfix();
  const size_t position = current().begin;
  if (!Accept("**")) return base;
  return Make(ExprKind::kBinary, position, {std::move(base), Unary()}, "**");
}

ExprPtr Parser::Postfix() {
  ExprPtr base = Atom();
  while (true) {
    if (Sees("[")) {
      base = Subscript(std::move(base));
    } else if (Sees("(")) {
      Fail("only a name can be called");
    } else if (Sees(".")) {
      Fail("attributes (`a.b`) are not part of the language; write `f(a)`");
    } else {
      return base;
    }
  }
}

}  // namespace onnxport::codegen
