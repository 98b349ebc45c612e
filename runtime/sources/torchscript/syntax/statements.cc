// Parses statements to a few kinds. Some of Python's statements become calls, as in LibTorch: `assert`, `raise`, `del`,
// `x[i] = v`. So no code after the parser needs to handle them.
#include "runtime/sources/torchscript/syntax/statements.h"

#include <initializer_list>
#include <string>
#include <utility>

#include "runtime/sources/torchscript/syntax/expressions.h"

namespace onnxport::torchscript {
namespace {

Stmt Make(StmtKind kind, Offset offset) {
  Stmt stmt;
  stmt.kind = kind;
  stmt.offset = offset;
  return stmt;
}

Expr Name(std::string text, Offset offset) {
  Expr name;
  name.kind = ExprKind::kName;
  name.offset = offset;
  name.text = std::move(text);
  return name;
}

// `torch.Delete(a, b)` from {"torch", "Delete"} and the arguments.
Expr CallOf(std::initializer_list<const char*> path, ExprList arguments, Offset offset) {
  Expr function;
  for (const char* part : path) {
    if (function.text.empty()) {
      function = Name(part, offset);
      continue;
    }
    Expr attribute = Name(part, offset);
    attribute.kind = ExprKind::kAttribute;
    attribute.operands.push_back(std::move(function));
    function = std::move(attribute);
  }
  Expr call;
  call.kind = ExprKind::kCall;
  call.offset = offset;
  call.operands.push_back(std::move(function));
  for (Expr& argument : arguments) call.operands.push_back(std::move(argument));
  return call;
}

Stmt Effect(Expr call) {
  Stmt stmt = Make(StmtKind::kExpression, call.offset);
  stmt.value = std::move(call);
  return stmt;
}

// Splits `object[index]` into its parts.
ExprList ElementOf(Tokens* tokens, Expr subscript) {
  if (subscript.kind != ExprKind::kSubscript) tokens->Fail(subscript.offset, "expected an element `x[i]`");
  return std::move(subscript.operands);
}

// `elif` is an if in the else. A chain of them is as deep as it is long, so each counts as nested.
Stmt If(Tokens* tokens) {
  Stmt stmt = Make(StmtKind::kIf, tokens->Take().offset);
  stmt.value = ParseExpr(tokens);
  stmt.body = ParseBlock(tokens);
  if (tokens->At("elif")) {
    const Tokens::Nesting nesting(tokens);
    stmt.orelse.push_back(If(tokens));
  } else if (tokens->Accept("else")) {
    stmt.orelse = ParseBlock(tokens);
  }
  return stmt;
}

Stmt While(Tokens* tokens) {
  Stmt stmt = Make(StmtKind::kWhile, tokens->Take().offset);
  stmt.value = ParseExpr(tokens);
  stmt.body = ParseBlock(tokens);
  return stmt;
}

Stmt For(Tokens* tokens) {
  Stmt stmt = Make(StmtKind::kFor, tokens->Take().offset);
  do {
    const Offset offset = tokens->current().offset;
    stmt.targets.push_back(Name(tokens->ExpectName("a loop variable"), offset));
  } while (tokens->Accept(",") && !tokens->At("in"));
  // `for i, x in pairs:` unpacks each element.
  stmt.unpacks = stmt.targets.size() > 1;
  tokens->Expect("in");
  stmt.value = ParseExpr(tokens);
  stmt.body = ParseBlock(tokens);
  return stmt;
}

Stmt With(Tokens* tokens) {
  Stmt stmt = Make(StmtKind::kWith, tokens->Take().offset);
  stmt.value = ParseExpr(tokens);
  if (tokens->Accept("as")) {
    const Offset offset = tokens->current().offset;
    stmt.targets.push_back(Name(tokens->ExpectName("a name"), offset));
  }
  stmt.body = ParseBlock(tokens);
  return stmt;
}

Stmt Def(Tokens* tokens) {
  const Offset offset = tokens->current().offset;
  Function function = ParseFunction(tokens);
  // The body of a `torch.jit.fork` is printed as such a function. It sees the variables around it.
  if (!function.params.empty()) tokens->Fail(offset, "a function inside a function has no parameters");
  Stmt stmt = Make(StmtKind::kDef, offset);
  stmt.targets.push_back(Name(std::move(function.name), offset));
  stmt.body = std::move(function.body);
  return stmt;
}

Stmt Return(Tokens* tokens) {
  Stmt stmt = Make(StmtKind::kReturn, tokens->Take().offset);
  bool has_comma = false;
  if (!tokens->At(TokenKind::kNewline)) stmt.value = ParseTuple(tokens, &has_comma);
  return stmt;
}

// As LibTorch compiles it. So the interpreter needs no assert, only a side that raises.
Stmt Assert(Tokens* tokens) {
  Stmt stmt = Make(StmtKind::kIf, tokens->Take().offset);
  stmt.value = ParseExpr(tokens);
  Expr message;
  message.kind = ExprKind::kString;
  message.text = "AssertionError: ";
  if (tokens->Accept(",")) message = ParseExpr(tokens);
  stmt.body.push_back(Make(StmtKind::kPass, stmt.offset));
  ExprList arguments;
  arguments.push_back(std::move(message));
  stmt.orelse.push_back(Effect(CallOf({"ops", "prim", "RaiseException"}, std::move(arguments), stmt.offset)));
  return stmt;
}

// `raise Exception("why")`: the message is the first argument of the exception, if there is one.
Stmt Raise(Tokens* tokens) {
  const Offset offset = tokens->Take().offset;
  Expr exception = ParseExpr(tokens);
  ExprList arguments;
  const bool has_words = exception.kind == ExprKind::kCall && exception.operands.size() > 1;
  arguments.push_back(has_words ? std::move(exception.operands[1]) : std::move(exception));
  return Effect(CallOf({"ops", "prim", "RaiseException"}, std::move(arguments), offset));
}

Stmt Delete(Tokens* tokens) {
  const Offset offset = tokens->Take().offset;
  return Effect(CallOf({"torch", "Delete"}, ElementOf(tokens, ParseExpr(tokens)), offset));
}

// `x[i] = v` writes to the object x and binds no name: it is the call `torch._set_item(x, i, v)`.
Stmt Assign(Tokens* tokens, Expr target, bool unpacks) {
  Stmt stmt = Make(StmtKind::kAssign, target.offset);
  bool has_comma = false;
  if (tokens->Accept(":")) stmt.type.push_back(ParseExpr(tokens));
  tokens->Expect("=");
  stmt.value = ParseTuple(tokens, &has_comma);
  if (target.kind == ExprKind::kSubscript) {
    ExprList arguments = ElementOf(tokens, std::move(target));
    arguments.push_back(std::move(stmt.value));
    return Effect(CallOf({"torch", "_set_item"}, std::move(arguments), stmt.offset));
  }
  stmt.unpacks = unpacks;
  if (unpacks) {
    stmt.targets = std::move(target.operands);
  } else {
    stmt.targets.push_back(std::move(target));
  }
  for (const Expr& each : stmt.targets) {
    if (each.kind != ExprKind::kName && each.kind != ExprKind::kAttribute) {
      tokens->Fail(each.offset, "only names and attributes can be assigned to");
    }
  }
  return stmt;
}

Stmt Simple(Tokens* tokens) {
  if (tokens->At("return")) return Return(tokens);
  if (tokens->At("assert")) return Assert(tokens);
  if (tokens->At("raise")) return Raise(tokens);
  if (tokens->At("del")) return Delete(tokens);
  if (tokens->At("pass")) return Make(StmtKind::kPass, tokens->Take().offset);
  bool has_comma = false;
  Expr value = ParseTuple(tokens, &has_comma);
  // The left side of a `=` is first read as an expression, because the `=` comes after it.
  if (tokens->At("=") || tokens->At(":")) return Assign(tokens, std::move(value), has_comma);
  return Effect(std::move(value));
}

Stmt Statement(Tokens* tokens) {
  const Tokens::Nesting nesting(tokens);
  if (tokens->At("if")) return If(tokens);
  if (tokens->At("while")) return While(tokens);
  if (tokens->At("for")) return For(tokens);
  if (tokens->At("with")) return With(tokens);
  if (tokens->At("def")) return Def(tokens);
  Stmt stmt = Simple(tokens);
  tokens->EndLine();
  return stmt;
}

Param Parameter(Tokens* tokens) {
  Param param;
  param.name = tokens->ExpectName("the name of a parameter");
  if (tokens->Accept(":")) param.type = ParseExpr(tokens);
  if (tokens->Accept("=")) param.default_value = ParseExpr(tokens);
  return param;
}

}  // namespace

// This takes the kDedent. Each statement takes the kNewline of its line; compound statements end with their block.
StmtList ParseBlock(Tokens* tokens) {
  tokens->Expect(":");
  tokens->EndLine();
  tokens->Expect(TokenKind::kIndent, "an indented block");
  StmtList body;
  while (!tokens->At(TokenKind::kDedent)) body.push_back(Statement(tokens));
  tokens->Take();
  body.shrink_to_fit();  // a trace is one block, and a growing list allocates twice as much
  return body;
}

Function ParseFunction(Tokens* tokens) {
  Function function;
  function.offset = tokens->current().offset;
  tokens->Expect("def");
  function.name = tokens->ExpectName("the name of a function");
  tokens->Expect("(");
  while (!tokens->At(")")) {
    function.params.push_back(Parameter(tokens));
    if (!tokens->Accept(",")) break;
  }
  tokens->Expect(")");
  if (tokens->Accept("->")) function.return_type = ParseExpr(tokens);
  function.body = ParseBlock(tokens);
  function.end = tokens->current().offset;
  return function;
}

}  // namespace onnxport::torchscript
