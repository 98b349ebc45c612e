#include "codegen/emit/cpp.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "codegen/model/spec_text.h"

namespace onnxport::codegen::cpp {
namespace {

using Kind = Node::Kind;

Expr Make(Kind kind, std::string_view text, Exprs operands) {
  return std::make_shared<Node>(
      Node{.kind = kind, .text = std::string(text), .operands = std::move(operands), .parameters = {}, .body = {}});
}

Exprs Joined(Expr first, Exprs rest) {
  rest.insert(rest.begin(), std::move(first));
  return rest;
}

Statement MakeStatement(Statement::Kind kind, Expr value) {
  return {.kind = kind, .value = std::move(value), .type = {}, .name = {}, .names = {}, .body = {}};
}

std::vector<Parameter> Named(std::vector<Parameter> parameters, const Block& body) {
  for (Parameter& parameter : parameters)
    // `[&](const Val&) { return 1; }`: a compiler would warn of a name that is not used.
    if (!Mentions(body, parameter.name)) parameter.name.clear();
  return parameters;
}

}  // namespace

Expr Name(std::string_view name) { return Make(Kind::kAtom, name, {}); }

Expr Int(int64_t value) {
  // -9223372036854775808 is a minus and a number that no type has.
  if (value == INT64_MIN) return Name("INT64_MIN");
  return value < 0 ? Prefix("-", Int(-value)) : Name(fmt::format("{}", value));
}

Expr Float(double value) {
  if (std::isnan(value)) return Name("NAN");
  // By the sign bit, so that -0.0 stays what it is.
  if (std::signbit(value)) return Prefix("-", Float(-value));
  return Name(std::isinf(value) ? "INFINITY" : FloatText(value));
}

Expr DTypeName(ir::DType dtype) {
  constexpr auto upper = [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); };
  std::string name(ir::Name(dtype));
  name[0] = upper(static_cast<unsigned char>(name[0]));
  if (name.starts_with("Uint")) name[1] = 'I';
  if (name.starts_with("Bfloat")) name[1] = 'F';
  const size_t rest = name.starts_with("Float8") ? 6 : name.size();  // Float8E4M3FN
  std::transform(name.begin() + rest, name.end(), name.begin() + rest, upper);
  return Name("DType::k" + name);
}

Expr Text(std::string_view text) {
  std::string quoted = "\"";
  for (char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\')
      quoted += std::string("\\") + letter;
    else if (byte < 0x20 || byte > 0x7e)
      // Octal with three digits ends by itself; a hexadecimal escape would go on into a digit that follows.
      quoted += fmt::format("\\{:03o}", byte);
    else
      quoted += letter;
  }
  return Name(quoted + "\"");
}

Expr Call(Expr callee, Exprs arguments) {
  return Make(Kind::kCall, "", Joined(std::move(callee), std::move(arguments)));
}
Expr Call(std::string_view function, Exprs arguments) { return Call(Name(function), std::move(arguments)); }
Expr Method(Expr object, std::string_view method, Exprs arguments) {
  return Call(Make(Kind::kMember, method, {std::move(object)}), std::move(arguments));
}
Expr Braces(Exprs items) { return Make(Kind::kBraces, "", std::move(items)); }
Expr Object(std::string_view type, Exprs items) { return Make(Kind::kBraces, type, std::move(items)); }
Expr Field(std::string_view name, Expr value) { return Make(Kind::kField, name, {std::move(value)}); }

Expr Lambda(std::vector<Parameter> parameters, std::string_view result, Block body) {
  return std::make_shared<Node>(Node{.kind = Kind::kLambda,
                                     .text = std::string(result),
                                     .operands = {},
                                     .parameters = Named(std::move(parameters), body),
                                     .body = std::move(body)});
}

Function MakeFunction(std::string_view result, std::string_view name, std::vector<Parameter> parameters, Block body) {
  return {.result = std::string(result),
          .name = std::string(name),
          .parameters = Named(std::move(parameters), body),
          .body = std::move(body)};
}

Expr Thunk(Expr value) { return Lambda({}, "", {Return(std::move(value))}); }
Expr Infix(std::string_view op, Expr a, Expr b) { return Make(Kind::kInfix, op, {std::move(a), std::move(b)}); }
Expr Prefix(std::string_view op, Expr operand) { return Make(Kind::kPrefix, op, {std::move(operand)}); }
Expr Conditional(Expr condition, Expr yes, Expr no) {
  return Make(Kind::kConditional, "", {std::move(condition), std::move(yes), std::move(no)});
}
Expr Index(Expr list, Expr index) { return Make(Kind::kIndex, "", {std::move(list), std::move(index)}); }

Statement Do(Expr value) { return MakeStatement(Statement::Kind::kExpression, std::move(value)); }
Statement Return(Expr value) { return MakeStatement(Statement::Kind::kReturn, std::move(value)); }

Statement Variable(std::string_view type, std::string_view name, Expr value) {
  return {.kind = Statement::Kind::kVariable,
          .value = std::move(value),
          .type = std::string(type),
          .name = std::string(name),
          .names = {},
          .body = {}};
}

Statement Unpack(std::string_view type, std::vector<std::string> names, Expr value) {
  Statement made = Variable(type, "", std::move(value));
  made.kind = Statement::Kind::kUnpack;
  made.names = std::move(names);
  return made;
}

Statement Construct(std::string_view type, std::string_view name) {
  Statement object = Variable(type, name, nullptr);
  object.kind = Statement::Kind::kObject;
  return object;
}

Statement If(Expr condition, Block body) {
  Statement made = MakeStatement(Statement::Kind::kIf, std::move(condition));
  made.body = std::move(body);
  return made;
}

Statement For(std::string_view type, std::string_view name, Expr range, Block body) {
  Statement made = Variable(type, name, std::move(range));
  made.kind = Statement::Kind::kFor;
  made.body = std::move(body);
  return made;
}

bool Mentions(const Expr& expr, std::string_view name) {
  if (!expr) return false;
  if (expr->kind == Kind::kAtom) return expr->text == name;
  return std::ranges::any_of(expr->operands, [&](const Expr& operand) { return Mentions(operand, name); }) ||
         Mentions(expr->body, name);
}

bool Mentions(const Block& block, std::string_view name) {
  return std::ranges::any_of(block, [&](const Statement& statement) {
    return Mentions(statement.value, name) || Mentions(statement.body, name);
  });
}

}  // namespace onnxport::codegen::cpp
