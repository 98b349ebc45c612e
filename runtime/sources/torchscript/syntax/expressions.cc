// Parses expressions in the code of a `.pt`. LibTorch's printer wrote it. Anything that the printer never writes is
// refused: operators with a precedence, lambdas, comprehensions. So each text has only one meaning, that of LibTorch.
#include "runtime/sources/torchscript/syntax/expressions.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/sources/torchscript/syntax/literals.h"

namespace onnxport::torchscript {
namespace {

Expr Make(ExprKind kind, Offset offset) {
  Expr expr;
  expr.kind = kind;
  expr.offset = offset;
  return expr;
}

Expr Number(Tokens* tokens, bool negative) {
  const Token token = tokens->Take();
  std::optional<Expr> number = ReadNumber(token.text, negative);
  if (!number) tokens->Fail(token.offset, "`" + std::string(token.text.substr(0, 60)) + "` is no 64-bit number");
  number->offset = token.offset;
  return *std::move(number);
}

// The printer writes these two without quotes. The lexer reads them as names.
bool IsNumber(const Token& token) { return token.kind == TokenKind::kNumber || token.Is("inf") || token.Is("nan"); }

// The minus is read with its number: -9223372036854775808 is an int64, but its absolute value is not.
Expr Minus(Tokens* tokens) {
  const Token minus = tokens->Take();
  if (IsNumber(tokens->current())) return Number(tokens, true);
  Expr expr = Make(ExprKind::kMinus, minus.offset);
  expr.operands.push_back(ParseExpr(tokens));
  return expr;
}

Expr Word(Tokens* tokens) {
  const Token token = tokens->Take();
  if (token.text == "None") return Make(ExprKind::kNone, token.offset);
  Expr expr = Make(token.text == "True" || token.text == "False" ? ExprKind::kBool : ExprKind::kName, token.offset);
  expr.boolean = token.text == "True";
  if (expr.kind == ExprKind::kName) expr.text = token.text;
  return expr;
}

Expr String(Tokens* tokens) {
  const Token token = tokens->Take();
  std::optional<std::string> value = ReadString(token.text);
  if (!value) tokens->Fail(token.offset, "the string has an escape that is not known");
  Expr expr = Make(ExprKind::kString, token.offset);
  expr.text = *std::move(value);
  return expr;
}

// Parses the elements after the opening bracket. Returns true if a comma follows the last one. The printer writes this
// comma: `forward(x, )`, `["weight", ]`.
bool Elements(Tokens* tokens, std::string_view close, ExprList* elements) {
  while (!tokens->At(close)) {
    elements->push_back(ParseExpr(tokens));
    if (!tokens->Accept(",")) return false;
  }
  return true;
}

// `(x)` is x, `(x,)` and `()` are tuples.
Expr Parenthesized(Tokens* tokens) {
  Expr tuple = Make(ExprKind::kTuple, tokens->Take().offset);
  const bool has_comma = Elements(tokens, ")", &tuple.operands);
  tokens->Expect(")");
  if (tuple.operands.size() != 1 || has_comma) return tuple;
  Expr inner = std::move(tuple.operands[0]);
  return inner;
}

Expr List(Tokens* tokens) {
  Expr list = Make(ExprKind::kList, tokens->Take().offset);
  Elements(tokens, "]", &list.operands);
  tokens->Expect("]");
  return list;
}

Expr Dict(Tokens* tokens) {
  Expr dict = Make(ExprKind::kDict, tokens->Take().offset);
  while (!tokens->At("}")) {
    dict.operands.push_back(ParseExpr(tokens));
    tokens->Expect(":");
    dict.operands.push_back(ParseExpr(tokens));
    if (!tokens->Accept(",")) break;
  }
  tokens->Expect("}");
  return dict;
}

Expr Atom(Tokens* tokens) {
  const Token& token = tokens->current();
  if (IsNumber(token)) return Number(tokens, false);
  if (token.kind == TokenKind::kName) return Word(tokens);
  if (token.kind == TokenKind::kString) return String(tokens);
  if (token.Is("(")) return Parenthesized(tokens);
  if (token.Is("[")) return List(tokens);
  if (token.Is("{")) return Dict(tokens);
  if (token.Is("-")) return Minus(tokens);
  if (token.Is("...")) return Make(ExprKind::kEllipsis, tokens->Take().offset);
  tokens->FailExpected("an expression");
}

void Arguments(Tokens* tokens, Expr* call) {
  while (!tokens->At(")")) {
    if (tokens->At(TokenKind::kName) && tokens->next().Is("=")) {
      std::string name(tokens->Take().text);
      tokens->Take();
      call->keywords.push_back({std::move(name), ParseExpr(tokens)});
    } else if (!call->keywords.empty()) {
      tokens->FailExpected("a named argument");
    } else {
      call->operands.push_back(ParseExpr(tokens));
    }
    if (!tokens->Accept(",")) break;
  }
  tokens->Expect(")");
  call->operands.shrink_to_fit();  // most calls are small, and a growing list allocates twice as much
}

// Only an identifier can follow a dot. So the children of a Sequential are `getattr(self, "0")`, which means `self.0`.
bool IsGetattr(const Expr& call) {
  return call.operands[0].kind == ExprKind::kName && call.operands[0].text == "getattr" && call.operands.size() == 3 &&
         call.operands[2].kind == ExprKind::kString && call.keywords.empty();
}

Expr Call(Tokens* tokens, Expr function) {
  Expr call = Make(ExprKind::kCall, function.offset);
  tokens->Take();
  call.operands.reserve(2);  // nearly every call has an argument
  call.operands.push_back(std::move(function));
  Arguments(tokens, &call);
  if (!IsGetattr(call)) return call;
  Expr attribute = Make(ExprKind::kAttribute, call.offset);
  attribute.text = std::move(call.operands[2].text);
  attribute.operands.push_back(std::move(call.operands[1]));
  return attribute;
}

// In `Dict[str, int]` the index is a tuple, in `List[int]` and `xs[0]` the expression itself.
Expr Subscript(Tokens* tokens, Expr object) {
  Expr subscript = Make(ExprKind::kSubscript, object.offset);
  tokens->Take();
  subscript.operands.push_back(std::move(object));
  Expr index = Make(ExprKind::kTuple, tokens->current().offset);
  const bool has_comma = Elements(tokens, "]", &index.operands);
  tokens->Expect("]");
  if (index.operands.empty()) tokens->Fail(index.offset, "expected an index");
  const bool is_tuple = index.operands.size() > 1 || has_comma;
  if (is_tuple) {
    subscript.operands.push_back(std::move(index));
  } else {
    Expr inner = std::move(index.operands[0]);
    subscript.operands.push_back(std::move(inner));
  }
  return subscript;
}

Expr Attribute(Tokens* tokens, Expr object) {
  Expr attribute = Make(ExprKind::kAttribute, object.offset);
  tokens->Take();
  attribute.operands.push_back(std::move(object));
  attribute.text = tokens->ExpectName("the name of an attribute");
  return attribute;
}

}  // namespace

// No precedence is needed: the printer writes every operator as a call. So an expression is an atom, followed by calls,
// subscripts and attributes.
Expr ParseExpr(Tokens* tokens) {
  Tokens::Nesting nesting(tokens);
  Expr expr = Atom(tokens);
  while (tokens->At(".") || tokens->At("(") || tokens->At("[")) {
    nesting.Deepen();  // `a.b(c)[d]` is a tree as deep as it is long
    if (tokens->At(".")) {
      expr = Attribute(tokens, std::move(expr));
    } else if (tokens->At("(")) {
      expr = Call(tokens, std::move(expr));
    } else {
      expr = Subscript(tokens, std::move(expr));
    }
  }
  return expr;
}

Expr ParseTuple(Tokens* tokens, bool* has_comma) {
  Expr first = ParseExpr(tokens);
  *has_comma = tokens->At(",");
  if (!*has_comma) return first;
  Expr tuple = Make(ExprKind::kTuple, first.offset);
  tuple.operands.push_back(std::move(first));
  while (tokens->Accept(",")) {
    // A comma may come last: `a, = x` or `return x,`.
    if (tokens->At(TokenKind::kNewline) || tokens->At("=")) break;
    tuple.operands.push_back(ParseExpr(tokens));
  }
  return tuple;
}

}  // namespace onnxport::torchscript
