// The innermost forms: literals, names, calls, lists, dicts, subscripts.
#include <limits>
#include <utility>

#include "codegen/load/names.h"
#include "codegen/load/parser.h"
#include "fmt/format.h"

namespace onnxport::codegen {
namespace {

// `Relu`, `com.microsoft.Gelu`. So `Relu(x)` is a node and `rank(x)` a function: no operator of ONNX begins with a
// small letter, no function of the language with a capital.
bool IsOnnxName(std::string_view name) {
  return (name[0] >= 'A' && name[0] <= 'Z') || name.find('.') != std::string_view::npos;
}

}  // namespace

ExprPtr Parser::Subscript(ExprPtr base) {
  Expect("[");
  const Place place = base->place;
  ExprPtr begin, end, result;
  if (!Sees(":")) begin = Expression();
  const bool is_slice = Accept(":");
  if (is_slice && !Sees("]")) end = Expression();
  if (Sees(":")) Fail("a slice has no step");
  if (Sees(",")) Fail("one index at a time: `a[i][j]`");
  Expect("]");
  const size_t position = current().begin;
  const auto open = [&](const ExprPtr& bound) { return bound ? bound : Make(ExprKind::kNone, position, {}); };
  Expr* expr = New(is_slice ? ExprKind::kSlice : ExprKind::kIndex, &result, position);
  // The place is that of the list, not of the bracket: a message about `sizes[3]` points at `sizes`.
  expr->place = place;
  expr->operands = {std::move(base), open(begin)};
  if (is_slice) expr->operands.push_back(open(end));
  return result;
}

// `r.values`
ExprPtr Parser::Field(ExprPtr base) {
  Expect(".");
  const size_t position = current().begin;
  return Make(ExprKind::kField, position, {std::move(base)}, Word("the name of a result"));
}

ExprPtr Parser::Atom() {
  if (current().kind == TokenKind::kName) return NameOrCall();
  if (IsNumber(current()) || current().kind == TokenKind::kString) return Literal();
  if (Sees("[")) return ListOrComprehension();
  if (Sees("{")) return Dict();
  if (Sees("*") || Sees("**"))
    Fail(fmt::format("`{}` stands before an argument or an element of a list only", current().text));
  if (!Accept("(")) Fail(fmt::format("expected a value, found {}", Seen()));
  ExprPtr inner = Expression();
  if (Sees(",")) Fail("tuples are not part of the language; write a list: `[a, b]`");
  Expect(")");
  return inner;
}

ExprPtr Parser::Literal() {
  const Token token = tokens_[index_++];
  ExprPtr result;
  if (token.kind == TokenKind::kString) return Make(ExprKind::kString, token.begin, {}, token.text);
  Expr* expr = New(token.kind == TokenKind::kInt ? ExprKind::kInt : ExprKind::kFloat, &result, token.begin);
  expr->float_value = token.float_value;
  expr->int_value = static_cast<int64_t>(token.int_value);
  // 2^63, which the lexer lets through for the sake of -2^63.
  if (token.int_value > uint64_t{std::numeric_limits<int64_t>::max()})
    throw SyntaxError{token.begin, "a number out of range"};
  return result;
}

ExprPtr Parser::NameOrCall() {
  const Token token = current();
  // A dtype's word before a bracket is a function's name, `bool(x)`. A literal never is: `None(` is a mistake whatever
  // follows.
  if (auto constant = ConstantWord(token.text); constant && (IsLiteralWord(token.text) || following().text != "(")) {
    ++index_;
    if (Sees("(")) Fail(fmt::format("`{}` is not a function", token.text));
    constant->place = text_.At(token.begin);
    // Kept as a word, because an operator may have an argument of that name (specialize/argument_words.cc).
    const bool may_be_an_argument = constant->kind != ExprKind::kNone && constant->kind != ExprKind::kBool;
    if (may_be_an_argument) constant->text = token.text;
    ExprPtr result;
    Expr* made = New(constant->kind, &result, token.begin);
    *made = *std::move(constant);
    return result;
  }
  if (IsKeyword(token.text)) Fail(fmt::format("expected a value, found `{}`", token.text));
  const size_t after_word = ++index_;
  std::string name = token.text;
  // `com.microsoft.Gelu(`, without blanks around the dots.
  while (Sees(".") && following().kind == TokenKind::kName && following().begin == current().end) {
    ++index_;
    name += "." + Word("a name");
  }
  if (Sees("(")) return Call(std::move(name), token.begin);
  // `r.values`: the dots are for Postfix.
  index_ = after_word;
  return Make(ExprKind::kName, token.begin, {}, token.text);
}

ExprPtr Parser::Call(std::string name, size_t position) {
  Expect("(");
  ExprPtr result;
  const lowering::BuiltinInfo* builtin = lowering::FindBuiltin(name);
  // The parser does not know which definitions exist. So any other call is a kCall, which the name check looks up.
  Expr* call = New(IsOnnxName(name) ? ExprKind::kNode
                   : builtin        ? ExprKind::kBuiltin
                                    : ExprKind::kCall,
                   &result, position);
  if (builtin)
    call->builtin = builtin->builtin;
  else
    call->text = std::move(name);
  while (!Sees(")")) {
    CallArgument(call);
    if (Sees("for")) Fail("a comprehension stands in a list: `[f(x) for x in xs]`");
    if (!Sees(")") && !Accept(",")) Fail(fmt::format("expected `,` or `)`, found {}", Seen()));
  }
  Expect(")");
  return result;
}

void Parser::CallArgument(Expr* call) {
  const size_t position = current().begin;
  if (Accept("**")) {
    const Token name = current();
    if (IsKeyword(name.text) || ConstantWord(name.text)) Fail("expected the name of a dict after `**`");
    Word("the name of a dict after `**`");
    call->operands.push_back(Make(ExprKind::kDoubleStar, position, {Make(ExprKind::kName, name.begin, {}, name.text)}));
    return;
  }
  if (current().kind == TokenKind::kName && following().text == "=" && following().kind == TokenKind::kSymbol) {
    const std::string name = current().text;
    for (const auto& [other, value] : call->named) {
      if (other == name) Fail(fmt::format("argument `{}` repeats", name));
    }
    index_ += 2;
    call->named.emplace_back(name, Expression());
    return;
  }
  const bool positional_is_late = !call->named.empty();
  if (positional_is_late) Fail("a positional argument after a named one");
  if (Accept("*")) {
    call->operands.push_back(Make(ExprKind::kStar, position, {Expression()}));
  } else {
    call->operands.push_back(Expression());
  }
}

ExprPtr Parser::ListElement() {
  const size_t position = current().begin;
  if (Accept("*")) return Make(ExprKind::kStar, position, {Expression()});
  return Expression();
}

ExprPtr Parser::ListOrComprehension() {
  const size_t position = current().begin;
  Expect("[");
  ExprPtr result;
  std::vector<ExprPtr> elements;
  while (!Sees("]")) {
    elements.push_back(ListElement());
    if (Sees("for") && elements.size() == 1) return Comprehension(std::move(elements[0]), position);
    if (!Sees("]") && !Accept(",")) Fail(fmt::format("expected `,` or `]`, found {}", Seen()));
  }
  Expect("]");
  New(ExprKind::kList, &result, position)->operands = std::move(elements);
  return result;
}

ExprPtr Parser::Comprehension(ExprPtr element, size_t position) {
  if (element->kind == ExprKind::kStar) Fail("the element of a comprehension has no `*`");
  Expect("for");
  ExprPtr result;
  Expr* expr = New(ExprKind::kComprehension, &result, position);
  expr->names = Targets();
  Expect("in");
  expr->operands = {std::move(element), Operators()};
  if (Accept("if")) expr->operands.push_back(Operators());
  if (Sees("for") || Sees("if")) Fail("a comprehension has one `for` and one `if`");
  Expect("]");
  return result;
}

ExprPtr Parser::Dict() {
  const size_t position = current().begin;
  Expect("{");
  ExprPtr result;
  Expr* dict = New(ExprKind::kDict, &result, position);
  while (!Sees("}")) {
    for (const auto& [other, value] : dict->named) {
      if (other == current().text) Fail(fmt::format("key `{}` repeats", other));
    }
    std::string name = Word("a name as key");
    Expect(":");
    dict->named.emplace_back(std::move(name), Expression());
    if (!Sees("}") && !Accept(",")) Fail(fmt::format("expected `,` or `}}`, found {}", Seen()));
  }
  Expect("}");
  return result;
}

}  // namespace onnxport::codegen
