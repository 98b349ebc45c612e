#include "codegen/emit/expression.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <vector>

#include "codegen/check/onnx_schemas.h"
#include "codegen/check/uses.h"
#include "codegen/emit/names.h"
#include "codegen/model/spec_text.h"
#include "runtime/ir/dtype.h"

namespace onnxport::codegen {
namespace {

enum Strength { kTernary = 1, kOr, kAnd, kEqual, kRelation, kSum, kProduct, kPrefix, kPrimary = 10 };

// Of the operators that C++ has too.
Strength StrengthOf(Operator op) {
  switch (InfoOf(op).precedence) {
    case Precedence::kSum:
      return kSum;
    case Precedence::kProduct:
      return kProduct;
    default:
      return op == Operator::kEqual || op == Operator::kNotEqual ? kEqual : kRelation;
  }
}

std::string Bound(const std::string& text, int strength, int least) {
  return strength < least ? "(" + text + ")" : text;
}

// "kFloat32"
std::string DTypeName(ir::DType dtype) {
  std::string name(ir::Name(dtype));
  name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  if (name.starts_with("Uint")) name[1] = 'I';
  if (name.starts_with("Bfloat")) name[1] = 'F';
  return "DType::k" + name;
}

std::string CppFloat(double value) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value < 0 ? "-INFINITY" : "INFINITY";
  return FloatText(value);
}

// `name` as a position among the operator's inputs, nothing for an attribute.
std::optional<size_t> InputPosition(const OnnxSchema* schema, const std::string& name) {
  if (!schema || schema->FindAttribute(name)) return std::nullopt;
  const int position = schema->FindInput(name);
  return position < 0 ? std::nullopt : std::optional<size_t>(position);
}

std::string Braces(const std::vector<std::string>& items) { return fmt::format("{{{}}}", fmt::join(items, ", ")); }

}  // namespace

std::string CppString(std::string_view text) {
  std::string quoted = "\"";
  for (char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\')
      quoted += std::string("\\") + letter;
    else if (byte < 0x20 || byte > 0x7e)
      quoted += fmt::format("\\{:03o}", byte);
    else
      quoted += letter;
  }
  return quoted + "\"";
}

std::string CppInt(int64_t value) { return value == INT64_MIN ? "INT64_MIN" : fmt::format("{}", value); }

std::string ExpressionWriter::Local(const std::string& name) const { return LocalName(name, called_); }

std::string ExpressionWriter::Val(const Expr& expr, const Scope& scope) const {
  const Code code = Write(expr, scope);
  return code.type == CppType::kVal ? code.text : "Val(" + code.text + ")";
}

std::string ExpressionWriter::ListSafe(const Expr& expr, const Scope& scope) const {
  const Code code = Write(expr, scope);
  return code.type == CppType::kList ? "Val(" + code.text + ")" : code.text;
}

std::string ExpressionWriter::Bool(const Expr& expr, const Scope& scope) const {
  const Code code = WriteCondition(expr, scope);
  return code.type == CppType::kBool ? code.text : "bool(" + code.text + ")";
}

ExpressionWriter::Code ExpressionWriter::Write(const Expr& expr, const Scope& scope) const {
  switch (expr.kind) {
    case ExprKind::kNone:
      return {"Val()"};
    case ExprKind::kBool:
      return {expr.bool_value ? "true" : "false", CppType::kBool};
    case ExprKind::kInt:
      return {CppInt(expr.int_value), CppType::kInt, expr.int_value < 0 ? kPrefix : kPrimary};
    case ExprKind::kFloat:
      return {CppFloat(expr.float_value), CppType::kFloat, std::signbit(expr.float_value) ? kPrefix : kPrimary};
    case ExprKind::kString:
      return {CppString(expr.text), CppType::kText};
    case ExprKind::kDType:
      return {DTypeName(expr.dtype), CppType::kDType};
    case ExprKind::kName:
      return Name(expr, scope);
    case ExprKind::kNode:
      return Node(expr, scope);
    case ExprKind::kBuiltin:
      return CallBuiltin(expr, scope);
    case ExprKind::kCall:
      return {call_def_(expr.text) + Arguments(expr, scope) + ")"};
    case ExprKind::kList:
      return List(expr, scope);
    case ExprKind::kComprehension:
      return Comprehension(expr, scope);
    case ExprKind::kConditional:
      return Conditional(expr, scope);
    case ExprKind::kUnary:
      return Unary(expr, scope);
    case ExprKind::kArithmetic:
    case ExprKind::kComparison:
      return Infix(expr, scope);
    case ExprKind::kLogic:
      return Logic(expr, scope);
    case ExprKind::kIndex:
    case ExprKind::kSlice:
      return Element(expr, scope);
    case ExprKind::kStar:
      return {"Splat(" + Value(*expr.operands[0], scope) + ")"};
    case ExprKind::kOpset:
    case ExprKind::kDict:
    case ExprKind::kDoubleStar:
      break;  // folded away, or reported
  }
  return {"Val()"};
}

ExpressionWriter::Code ExpressionWriter::WriteCondition(const Expr& expr, const Scope& scope) const {
  if (expr.kind == ExprKind::kLogic) return LogicCondition(expr, scope);
  Code code = Write(expr, scope);
  const bool testable = code.type == CppType::kVal || code.type == CppType::kBool || code.type == CppType::kInt ||
                        code.type == CppType::kFloat;
  if (!testable) code = {"Val(" + code.text + ")"};
  return code;
}

ExpressionWriter::Code ExpressionWriter::Name(const Expr& expr, const Scope& scope) const {
  if (const auto found = scope.find(expr.text); found != scope.end()) return {found->second.text, found->second.type};
  return {"Val()"};  // reported by the name check
}

ExpressionWriter::Code ExpressionWriter::CallBuiltin(const Expr& expr, const Scope& scope) const {
  const lowering::BuiltinInfo& builtin = InfoOf(expr.builtin);
  const std::string arguments = expr.builtin == Builtin::kStaticallyTrue
                                    ? "[&] { return " + Bool(*expr.operands[0], scope) + "; }"
                                    : Arguments(expr, scope);
  return {fmt::format("{}({})", builtin.cpp, arguments), builtin.returns_bool() ? CppType::kBool : CppType::kVal};
}

std::string ExpressionWriter::Arguments(const Expr& expr, const Scope& scope) const {
  std::vector<std::string> items;
  for (const ExprPtr& operand : expr.operands) items.push_back(Value(*operand, scope));
  return fmt::format("{}", fmt::join(items, ", "));
}

ExpressionWriter::Code ExpressionWriter::Node(const Expr& expr, const Scope& scope) const {
  const OnnxSchema* schema = FindOnnxSchema(expr.text, opset_);
  std::vector<std::string> inputs;
  std::vector<std::string> attributes;
  std::string outputs;
  for (const ExprPtr& operand : expr.operands) inputs.push_back(Value(*operand, scope));
  for (const auto& [name, value] : expr.named) {
    const std::string text = Value(*value, scope);
    if (name == "outputs") {
      outputs = text;
    } else if (const auto position = InputPosition(schema, name)) {
      inputs.resize(std::max(inputs.size(), *position + 1), "Val()");
      inputs[*position] = text;
    } else if (value->kind != ExprKind::kNone) {
      attributes.push_back(fmt::format("{{\"{}\", {}}}", name, text));
    }
  }
  while (!inputs.empty() && inputs.back() == "Val()") inputs.pop_back();
  if (inputs.size() == 1 && inputs[0].starts_with("Vals{")) inputs[0] = "Val(" + inputs[0] + ")";
  std::string text = fmt::format("{}(\"{}\", {}", outputs.empty() ? "c.op" : "c.ops", expr.text, Braces(inputs));
  if (!attributes.empty() || !outputs.empty()) text += ", " + Braces(attributes);
  if (!outputs.empty()) text += ", " + outputs;
  return {text + ")"};
}

// `[a, *b, c]` -> Vals{a} + b + Vals{c}
ExpressionWriter::Code ExpressionWriter::List(const Expr& expr, const Scope& scope) const {
  std::vector<std::string> parts;
  std::vector<std::string> items;
  const auto flush = [&] {
    if (!items.empty()) parts.push_back("Vals" + Braces(items));
    items.clear();
  };
  for (const ExprPtr& operand : expr.operands) {
    if (operand->kind == ExprKind::kStar) {
      flush();
      const Code code = Write(*operand->operands[0], scope);
      parts.push_back(Bound(code.text, code.strength, kProduct));
    } else {
      const Code code = Write(*operand, scope);
      items.push_back(code.type == CppType::kList ? "Val(" + code.text + ")" : code.text);
    }
  }
  flush();
  if (parts.empty()) return {"Vals{}", CppType::kList};
  if (parts.size() == 1) return {parts[0], parts[0].starts_with("Vals{") ? CppType::kList : CppType::kVal};
  return {fmt::format("{}", fmt::join(parts, " + ")), CppType::kVal, kSum};
}

// `[f(x) for x in xs if k(x)]` -> Map(Filter(xs, [&](const Val& x) { return k(x); }), [&](const Val& x) { ... })
ExpressionWriter::Code ExpressionWriter::Comprehension(const Expr& expr, const Scope& scope) const {
  Scope inner = scope;
  std::string parameter;
  if (expr.names.size() == 1) {
    parameter = Local(expr.names[0]);
    inner[expr.names[0]] = {parameter};
  } else {
    parameter = fmt::format("{}", fmt::join(expr.names, "_"));
    for (size_t i = 0; i < expr.names.size(); ++i) inner[expr.names[i]] = {fmt::format("{}[{}]", parameter, i)};
  }
  std::string list = Value(*expr.operands[1], scope);
  if (expr.operands.size() > 2)
    list =
        fmt::format("Filter({}, [&](const Val& {}) {{ return {}; }})", list, parameter, Bool(*expr.operands[2], inner));
  if (expr.operands[0]->kind == ExprKind::kName && inner[expr.operands[0]->text].text == parameter) return {list};
  const Uses uses = UsesOf(*expr.operands[0], {});
  const bool used = std::ranges::any_of(expr.names, [&](const std::string& name) { return uses.contains(name); });
  return {fmt::format("Map({}, [&](const Val&{}) {{ return {}; }})", list, used ? " " + parameter : "",
                      Value(*expr.operands[0], inner))};
}

ExpressionWriter::Code ExpressionWriter::Conditional(const Expr& expr, const Scope& scope) const {
  const Code condition = WriteCondition(*expr.operands[1], scope);
  Code a = Write(*expr.operands[0], scope);
  const Code b = Write(*expr.operands[2], scope);
  const bool same = a.type == b.type;
  if (!same && a.type != CppType::kVal && b.type != CppType::kVal) a = {"Val(" + a.text + ")"};
  return {fmt::format("{} ? {} : {}", Bound(condition.text, condition.strength, kOr), Bound(a.text, a.strength, kOr),
                      Bound(b.text, b.strength, kTernary)),
          same ? a.type : CppType::kVal, kTernary};
}

ExpressionWriter::Code ExpressionWriter::Unary(const Expr& expr, const Scope& scope) const {
  if (expr.op == Operator::kNot) {
    const Code code = WriteCondition(*expr.operands[0], scope);
    return {"!" + Bound(code.text, code.strength, kPrimary), CppType::kBool, kPrefix};
  }
  const Code code = Write(*expr.operands[0], scope);
  return {"-" + Bound(code.text, code.strength, kPrimary), code.type, kPrefix};
}

ExpressionWriter::Code ExpressionWriter::Infix(const Expr& expr, const Scope& scope) const {
  Code a = Write(*expr.operands[0], scope);
  const Code b = Write(*expr.operands[1], scope);
  switch (expr.op) {
    case Operator::kIn:
      return {fmt::format("Contains({}, {})", b.text, a.text), CppType::kBool};
    case Operator::kNotIn:
      return {fmt::format("!Contains({}, {})", b.text, a.text), CppType::kBool, kPrefix};
    case Operator::kFloorDivide:
      return {fmt::format("FloorDiv({}, {})", a.text, b.text)};
    case Operator::kPower:
      return {fmt::format("Pow({}, {})", a.text, b.text)};
    default:
      break;
  }
  if (a.type != CppType::kVal && b.type != CppType::kVal) a = {"Val(" + a.text + ")"};
  const bool compares = expr.kind == ExprKind::kComparison;  // compilers ask for the parentheses of `(a == b) == c`
  const int strength = StrengthOf(expr.op);
  return {fmt::format("{} {} {}", Bound(a.text, a.strength, compares ? kSum : strength), InfoOf(expr.op).text,
                      Bound(b.text, b.strength, compares ? kSum : strength + 1)),
          compares ? CppType::kBool : CppType::kVal, strength};
}

// As values, as in Python, unless both are bools.
ExpressionWriter::Code ExpressionWriter::Logic(const Expr& expr, const Scope& scope) const {
  const Code a = Write(*expr.operands[0], scope);
  const Code b = Write(*expr.operands[1], scope);
  if (a.type == CppType::kBool && b.type == CppType::kBool) return LogicCondition(expr, scope);
  return {fmt::format("{}({}, [&] {{ return {}; }})", expr.op == Operator::kAnd ? "And" : "Or", a.text, b.text)};
}

ExpressionWriter::Code ExpressionWriter::LogicCondition(const Expr& expr, const Scope& scope) const {
  const bool both = expr.op == Operator::kAnd;
  const int strength = both ? kAnd : kOr;
  const auto side = [&](const Expr& operand) {
    const Code code = WriteCondition(operand, scope);
    // Compilers ask for the parentheses of `a || (b && c)`.
    const bool mixed = strength == kOr && code.strength == kAnd;
    return mixed ? "(" + code.text + ")" : Bound(code.text, code.strength, strength);
  };
  return {fmt::format("{} {} {}", side(*expr.operands[0]), both ? "&&" : "||", side(*expr.operands[1])), CppType::kBool,
          strength};
}

ExpressionWriter::Code ExpressionWriter::Element(const Expr& expr, const Scope& scope) const {
  const Code code = Write(*expr.operands[0], scope);
  const std::string list =
      code.type == CppType::kVal ? Bound(code.text, code.strength, kPrimary) : "Val(" + code.text + ")";
  const std::string first = Value(*expr.operands[1], scope);
  if (expr.kind == ExprKind::kIndex) return {fmt::format("{}[{}]", list, first)};
  return {fmt::format("{}.Slice({}, {})", list, first, Value(*expr.operands[2], scope))};
}

}  // namespace onnxport::codegen
