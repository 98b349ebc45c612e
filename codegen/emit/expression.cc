#include "codegen/emit/expression.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/ir/dtype.h"

namespace onnxport::codegen {
namespace {

cpp::Expr ToVal(const Typed& typed) {
  return typed.type == CppType::kVal ? typed.code : cpp::Call("Val", {typed.code});
}
cpp::Expr Context() { return cpp::Name("c"); }

}  // namespace

cpp::Expr ContextMethod(std::string_view method, cpp::Exprs arguments) {
  return cpp::Method(Context(), method, std::move(arguments));
}

// With the C++ type, so that a number stays a number where C++ converts it anyway: `dim == 1` and not `dim == Val(1)`.
Typed Constant(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kBool:
      return {cpp::Name(expr.bool_value ? "true" : "false"), CppType::kBool};
    case ExprKind::kInt:
      return {cpp::Int(expr.int_value), CppType::kInt};
    case ExprKind::kFloat:
      return {cpp::Float(expr.float_value), CppType::kFloat};
    case ExprKind::kString:
      return {cpp::Text(expr.text), CppType::kText};
    case ExprKind::kDType:
      return {cpp::DTypeName(expr.dtype), CppType::kDType};
    default:
      return {cpp::Call("Val", {})};
  }
}

cpp::Expr ExpressionWriter::Val(const Expr& expr, const Scope& scope) const { return ToVal(Write(expr, scope)); }

cpp::Expr ExpressionWriter::ListSafe(const Expr& expr, const Scope& scope) const {
  const Typed typed = Write(expr, scope);
  return typed.type == CppType::kList ? ToVal(typed) : typed.code;
}

cpp::Expr ExpressionWriter::Bool(const Expr& expr, const Scope& scope) const {
  const Typed typed = WriteCondition(expr, scope);
  return typed.type == CppType::kBool ? typed.code : cpp::Call("bool", {typed.code});
}

Typed ExpressionWriter::Write(const Expr& expr, const Scope& scope) const {
  switch (expr.kind) {
    case ExprKind::kName:
      return Name(expr, scope);
    case ExprKind::kOpset:
      return {ContextMethod("opset", {}), CppType::kInt};
    case ExprKind::kNode:
      return Node(expr, scope);
    case ExprKind::kBuiltin:
      return CallBuiltin(expr, scope);
    case ExprKind::kCall:
      return CallDef(expr, scope);
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
      return {cpp::Call("Splat", {Value(*expr.operands[0], scope)})};
    default:
      return Constant(expr);
  }
}

Typed ExpressionWriter::WriteCondition(const Expr& expr, const Scope& scope) const {
  if (expr.kind == ExprKind::kLogic) return LogicCondition(expr, scope);
  Typed typed = Write(expr, scope);
  // A text or a dtype has no truth in C++, Val has.
  const bool testable = typed.type == CppType::kVal || typed.type == CppType::kBool || typed.type == CppType::kInt ||
                        typed.type == CppType::kFloat;
  return testable ? typed : Typed{ToVal(typed)};
}

Typed ExpressionWriter::Name(const Expr& expr, const Scope& scope) const {
  const auto found = scope.values.find(expr.text);
  return found == scope.values.end() ? Typed{cpp::Call("Val", {})} : found->second;  // reported by the name check
}

Typed ExpressionWriter::CallBuiltin(const Expr& expr, const Scope& scope) const {
  const lowering::BuiltinInfo& builtin = InfoOf(expr.builtin);
  const CppType type = builtin.returns_bool() ? CppType::kBool : CppType::kVal;
  // As a function: what throws "not decided" must throw where the builtin can catch it, and not while arguments are
  // evaluated.
  if (builtin.returns_bool() && builtin.evaluates()) {
    return {ContextMethod(builtin.cpp, {cpp::Thunk(Bool(*expr.operands[0], scope))}), type};
  }
  if (expr.builtin == Builtin::kSized) {
    return {ContextMethod(builtin.cpp, {Value(*expr.operands[0], scope), cpp::Thunk(Value(*expr.operands[1], scope))})};
  }
  if (expr.builtin == Builtin::kRefuse) return {cpp::Call(builtin.cpp, {Reason(Value(*expr.operands[0], scope))})};
  cpp::Exprs values = Values(expr.operands, scope);
  if (builtin.of_context) return {ContextMethod(builtin.cpp, std::move(values)), type};
  return {cpp::Call(builtin.cpp, std::move(values)), type};
}

Typed ExpressionWriter::CallDef(const Expr& expr, const Scope& scope) const {
  const DefCall def = call_def_(expr.text);
  cpp::Exprs arguments = Values(expr.operands, scope);
  if (def.takes_context) arguments.insert(arguments.begin(), Context());
  return {cpp::Call(def.function, std::move(arguments))};
}

cpp::Exprs ExpressionWriter::Values(const std::vector<ExprPtr>& exprs, const Scope& scope) const {
  cpp::Exprs values;
  for (const ExprPtr& expr : exprs) values.push_back(Value(*expr, scope));
  return values;
}

// `Slice(x, starts=s, outputs=1)` -> c.op("Slice", {x}, {{"starts", s}})
Typed ExpressionWriter::Node(const Expr& expr, const Scope& scope) const {
  cpp::Exprs inputs = Values(expr.operands, scope);
  // {Vals{a, b}} would be the list of inputs itself and not an input that is a list.
  if (inputs.size() == 1) inputs[0] = ListSafe(*expr.operands[0], scope);
  cpp::Exprs named;
  cpp::Expr outputs;
  // An attribute that is None is one that is not given, so it is left out.
  for (const auto& [name, value] : expr.named) {
    if (name == "outputs")
      outputs = Value(*value, scope);
    else if (value->kind != ExprKind::kNone)
      named.push_back(cpp::Braces({cpp::Text(name), Value(*value, scope)}));
  }
  cpp::Exprs arguments = {cpp::Text(expr.text), cpp::Braces(std::move(inputs))};
  // Also when empty, if outputs follow: arguments go by position.
  if (!named.empty() || outputs) arguments.push_back(cpp::Braces(std::move(named)));
  if (outputs) arguments.push_back(outputs);
  return {ContextMethod(outputs ? "ops" : "op", std::move(arguments))};
}

// `[a, *b, c]` -> Vals{a} + b + Vals{c}
Typed ExpressionWriter::List(const Expr& expr, const Scope& scope) const {
  std::optional<Typed> list;
  const auto append = [&](const Typed& part) { list = list ? Typed{cpp::Infix("+", list->code, part.code)} : part; };
  cpp::Exprs items;
  const auto flush = [&] {
    if (!items.empty()) append({cpp::Object("Vals", std::exchange(items, {})), CppType::kList});
  };
  for (const ExprPtr& operand : expr.operands) {
    if (operand->kind == ExprKind::kStar) {
      flush();
      append({Val(*operand->operands[0], scope)});
    } else {
      items.push_back(ListSafe(*operand, scope));
    }
  }
  flush();
  return list.value_or(Typed{cpp::Object("Vals", {}), CppType::kList});
}

// `[f(x) for x in xs if k(x)]` -> Map(Filter(xs, [&](const Val& x) { return k(x); }), [&](const Val& x) { ... })
Typed ExpressionWriter::Comprehension(const Expr& expr, const Scope& scope) const {
  Scope inner = scope;
  std::string element;
  if (expr.names.size() == 1) {
    element = names_->OfSpec(expr.names[0]);
    inner.values[expr.names[0]] = {cpp::Name(element)};
  } else {
    element = names_->Own(fmt::format("{}", fmt::join(expr.names, "_")), &inner.own);
    for (size_t i = 0; i < expr.names.size(); ++i)
      inner.values[expr.names[i]] = {cpp::Index(cpp::Name(element), cpp::Int(static_cast<int64_t>(i)))};
  }
  const auto lambda = [&](cpp::Expr value) {
    return cpp::Lambda({{"const Val&", element}}, "", {cpp::Return(std::move(value))});
  };
  cpp::Expr list = Value(*expr.operands[1], scope);
  if (expr.operands.size() > 2) list = cpp::Call("Filter", {list, lambda(Bool(*expr.operands[2], inner))});
  const Expr& each = *expr.operands[0];
  // `[x for x in xs if k(x)]` is the Filter alone.
  if (each.kind == ExprKind::kName && expr.names.size() == 1 && each.text == expr.names[0]) return {list};
  return {cpp::Call("Map", {list, lambda(Value(each, inner))})};
}

Typed ExpressionWriter::Conditional(const Expr& expr, const Scope& scope) const {
  cpp::Expr condition = Condition(*expr.operands[1], scope);
  if (arms_) condition = arms_->Either(expr, std::move(condition));
  Typed a = Write(*expr.operands[0], scope);
  const Typed b = Write(*expr.operands[2], scope);
  // C++ wants one type of both arms: of `true` and `1` it would make an int.
  const CppType type = a.type == b.type ? a.type : CppType::kVal;
  if (a.type != b.type && a.type != CppType::kVal && b.type != CppType::kVal) a = {ToVal(a)};
  return {cpp::Conditional(condition, a.code, b.code), type};
}

Typed ExpressionWriter::Unary(const Expr& expr, const Scope& scope) const {
  if (expr.op == Operator::kNot) return {cpp::Prefix("!", Condition(*expr.operands[0], scope)), CppType::kBool};
  const Typed operand = Write(*expr.operands[0], scope);
  // `-True` is -1, an int in C++, too.
  return {cpp::Prefix("-", operand.code), operand.type == CppType::kBool ? CppType::kInt : operand.type};
}

Typed ExpressionWriter::Infix(const Expr& expr, const Scope& scope) const {
  const Typed a = Write(*expr.operands[0], scope);
  const Typed b = Write(*expr.operands[1], scope);
  switch (expr.op) {
    case Operator::kIn:
      return {cpp::Call("Contains", {b.code, a.code}), CppType::kBool};
    case Operator::kNotIn:
      return {cpp::Prefix("!", cpp::Call("Contains", {b.code, a.code})), CppType::kBool};
    case Operator::kFloorDivide:
      return {cpp::Call("FloorDiv", {a.code, b.code})};
    case Operator::kPower:
      return {cpp::Call("Pow", {a.code, b.code})};
    default:
      break;
  }
  const bool compares = expr.kind == ExprKind::kComparison;
  // `c.opset() >= 13`: both are ints of C++, and stay so.
  const bool ints = compares && a.type == CppType::kInt && b.type == CppType::kInt;
  const bool host = !ints && a.type != CppType::kVal && b.type != CppType::kVal;  // C++ has its own idea of `1 / 2`
  const CppType type = compares ? CppType::kBool : CppType::kVal;
  return {cpp::Infix(InfoOf(expr.op).text, host ? ToVal(a) : a.code, b.code), type};
}

// As values, as in Python, unless both are bools.
Typed ExpressionWriter::Logic(const Expr& expr, const Scope& scope) const {
  const Typed a = Write(*expr.operands[0], scope);
  const Typed b = Write(*expr.operands[1], scope);
  if (a.type == CppType::kBool && b.type == CppType::kBool) return LogicCondition(expr, scope);
  // The second side as a function, as it must not be evaluated when the first decides: it may make nodes.
  return {cpp::Call(expr.op == Operator::kAnd ? "And" : "Or", {a.code, cpp::Thunk(b.code)})};
}

Typed ExpressionWriter::LogicCondition(const Expr& expr, const Scope& scope) const {
  return {cpp::Infix(expr.op == Operator::kAnd ? "&&" : "||", Condition(*expr.operands[0], scope),
                     Condition(*expr.operands[1], scope)),
          CppType::kBool};
}

Typed ExpressionWriter::Element(const Expr& expr, const Scope& scope) const {
  const cpp::Expr list = Val(*expr.operands[0], scope);
  const cpp::Expr first = Value(*expr.operands[1], scope);
  if (expr.kind == ExprKind::kIndex) return {cpp::Index(list, first)};
  return {cpp::Method(list, "Slice", {first, Value(*expr.operands[2], scope)})};
}

}  // namespace onnxport::codegen
