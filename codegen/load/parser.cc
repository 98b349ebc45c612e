#include "codegen/load/parser.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "codegen/load/names.h"
#include "fmt/format.h"

namespace onnxport::codegen {
namespace {

// The parser calls itself for each level, and so does every walk over the tree: a file of "((((" must not reach the end
// of the stack.
constexpr int kMaxExpressionDepth = 50;
constexpr int kMaxNodes = 1500;
constexpr size_t kMaxTargets = 64;

ExprKind KindOf(Operator op) {
  const OperatorInfo& info = InfoOf(op);
  if (info.unary) return ExprKind::kUnary;
  if (info.precedence == Precedence::kCompare) return ExprKind::kComparison;
  return info.precedence == Precedence::kAnd || info.precedence == Precedence::kOr ? ExprKind::kLogic
                                                                                   : ExprKind::kArithmetic;
}

}  // namespace

// Counts down again when the level is left, also by an exception.
class Parser::Nesting {
 public:
  explicit Nesting(Parser* parser) : parser_(parser) {
    if (++parser->depth_ > kMaxExpressionDepth)
      parser->Fail(fmt::format("nested deeper than {} levels; name parts of it in `let`", kMaxExpressionDepth));
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

std::vector<std::string> Parser::Targets() { return Parameters(nullptr); }

std::vector<std::string> Parser::Parameters(std::map<std::string, size_t>* given) {
  std::vector<std::string> names;
  do {
    const size_t position = index_;
    if (names.size() == kMaxTargets) Fail(fmt::format("more than {} names", kMaxTargets));
    names.push_back(NewName());
    if (std::count(names.begin(), names.end(), names.back()) > 1) {
      index_ = position;
      Fail(fmt::format("`{}` repeats", names.back()));
    }
    if (given && Accept("(")) {
      (*given)[names.back()] = Sees(")") ? 0 : Targets().size();
      Expect(")");
    }
  } while (Accept(","));
  return names;
}

// The only place that makes nodes, so that their number is counted. `holder` owns the node; what is returned lets the
// caller fill it, which nobody can afterwards.
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

ExprPtr Parser::MakeOperator(Operator op, size_t position, std::initializer_list<ExprPtr> operands) {
  ExprPtr result;
  Expr* expr = New(KindOf(op), &result, position);
  expr->op = op;
  expr->operands = operands;
  return result;
}

ExprPtr Parser::Expression() {
  const Nesting nesting(this);
  const size_t position = current().begin;
  ExprPtr value = Operators();
  if (!Accept("if")) return value;
  // Not Expression: `a if b if c else d else e` is refused at the second `if`.
  ExprPtr condition = Operators();
  if (!Sees("else")) Fail(fmt::format("expected `else`, found {}: a conditional is `a if condition else b`", Seen()));
  Expect("else");
  return Make(ExprKind::kConditional, position, {std::move(value), std::move(condition), Expression()});
}

const OperatorInfo* Parser::SeesInfix() const {
  if (current().kind != TokenKind::kSymbol && current().kind != TokenKind::kName) return nullptr;
  // `not in` is one operator of two words.
  return Sees("not") && following().text == "in" ? &InfoOf(Operator::kNotIn) : FindInfix(current().text);
}

void Parser::AcceptInfix(const OperatorInfo& infix) { index_ += infix.op == Operator::kNotIn ? 2 : 1; }

// Precedence climbing. An example: in `a + b * c == d`, Operators(kNone) reads `a`, sees `+` and reads its right side
// with Operators(kSum). That one reads `b`, goes on for `*`, which is stronger, reads `c` and stops before `==`, which
// is weaker. So `+` has `b * c`, and the loop goes on with `==`. Equal strength stops, too: `a - b - c` is `(a - b) -
// c`.
ExprPtr Parser::Operators(Precedence outer) {
  const size_t start = current().begin;
  ExprPtr left;
  // `not a == b` is `not (a == b)`, and `a + not b` is no expression, as in Python.
  if (outer < Precedence::kCompare && Accept("not")) {
    const Nesting nesting(this);
    left = MakeOperator(Operator::kNot, start, {Operators(Precedence::kNot)});
  } else {
    left = Unary();
  }
  while (true) {
    const OperatorInfo* infix = SeesInfix();
    if (!infix || infix->precedence <= outer) return left;
    const size_t position = current().begin;
    AcceptInfix(*infix);
    ExprPtr right = Operators(infix->precedence);
    left = MakeOperator(infix->op, position, {std::move(left), std::move(right)});
    const OperatorInfo* next = SeesInfix();
    if (infix->precedence == Precedence::kCompare && next && next->precedence == Precedence::kCompare)
      Fail("comparisons do not chain; write `a < b and b < c`");
  }
}

ExprPtr Parser::Unary() {
  const size_t position = current().begin;
  if (Sees("+")) Fail("a leading `+` is not part of the language");
  if (!Accept("-")) return Power();
  const Nesting nesting(this);
  // `-2 ** 2` is -(2 ** 2) and `-1[0]` an index of 1; only then the minus is an operator.
  const bool binds_tighter = following().text == "**" || following().text == "[";
  const bool is_infinity = current().kind == TokenKind::kName && current().text == "inf";
  if (!binds_tighter && (is_infinity || IsNumber(current()))) return NegativeNumber(position);
  return MakeOperator(Operator::kNegate, position, {Unary()});
}

// `-1` is a literal.
ExprPtr Parser::NegativeNumber(size_t position) {
  const Token token = tokens_[index_++];
  ExprPtr result;
  Expr* expr = New(token.kind == TokenKind::kInt ? ExprKind::kInt : ExprKind::kFloat, &result, position);
  expr->int_value = static_cast<int64_t>(0 - token.int_value);
  if (token.kind == TokenKind::kName) expr->text = "-" + token.text;
  expr->float_value = token.kind == TokenKind::kName ? -std::numeric_limits<double>::infinity() : -token.float_value;
  return result;
}

ExprPtr Parser::Power() {
  ExprPtr base = Postfix();
  const size_t position = current().begin;
  if (!Accept("**")) return base;
  // The right side goes through Unary, which comes back to Power: `a ** b ** c` is `a ** (b ** c)`, and `a ** -b` is
  // allowed.
  return MakeOperator(Operator::kPower, position, {std::move(base), Unary()});
}

ExprPtr Parser::Postfix() {
  ExprPtr base = Atom();
  while (true) {
    if (Sees("[")) {
      base = Subscript(std::move(base));
    } else if (Sees("(")) {
      Fail("only a name can be called");
    } else if (Sees(".")) {
      base = Field(std::move(base));
    } else {
      return base;
    }
  }
}

}  // namespace onnxport::codegen
