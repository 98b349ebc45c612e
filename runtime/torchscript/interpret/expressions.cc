// Expressions: literals, variables, attributes, elements, containers.
#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <utility>

#include "runtime/base/error.h"
#include "runtime/torchscript/interpret/builtins/wrapped_numbers.h"
#include "runtime/torchscript/interpret/interpreter.h"
#include "runtime/torchscript/interpret/nesting.h"
#include "runtime/torchscript/interpret/values/leaves.h"
#include "runtime/torchscript/syntax/dotted_name.h"

namespace onnxport::torchscript {
Value Interpreter::Evaluate(const Expr& expr) {
  const Nesting nesting(&nesting_);
  switch (expr.kind) {
    case ExprKind::kNone:
      return {None{}};
    case ExprKind::kBool:
      return {expr.boolean};
    case ExprKind::kInt:
      return EvaluateInt(expr);
    case ExprKind::kFloat:
      return {expr.number};
    case ExprKind::kString:
      return {expr.text};
    case ExprKind::kName:
      return EvaluateName(expr);
    case ExprKind::kAttribute:
      return EvaluateAttribute(expr);
    case ExprKind::kCall:
      return EvaluateCall(expr);
    case ExprKind::kSubscript:
      return EvaluateSubscript(expr);
    case ExprKind::kTuple: {
      auto tuple = MakeOwned<TupleValue>();
      tuple->items = EvaluateElements(expr.operands);
      return {TuplePtr(std::move(tuple))};
    }
    case ExprKind::kList:
      return EvaluateList(expr);
    case ExprKind::kDict:
      return EvaluateDict(expr);
    case ExprKind::kMinus:
      return CallOperator("aten::neg", {EvaluateAll(expr.operands, 0), {}}, expr);
    case ExprKind::kEllipsis:
      break;
  }
  BadCode(expr, "`...` has no value");
}

Value Interpreter::EvaluateInt(const Expr& expr) {
  if (!numbers_.IsMade(expr)) return {expr.integer};
  LocateAt(expr.offset);
  return numbers_.Make(expr);
}

ValueList Interpreter::EvaluateAll(const ExprList& exprs, size_t first) {
  ValueList values;
  values.reserve(exprs.size() - first);
  for (size_t i = first; i < exprs.size(); ++i) values.push_back(Evaluate(exprs[i]));
  return values;
}

ValueList Interpreter::EvaluateElements(const ExprList& exprs) {
  ValueList values = EvaluateAll(exprs, 0);
  for (Value& value : values) value = Doubted(std::move(value));
  return values;
}

Value Interpreter::EvaluateName(const Expr& expr) {
  if (const Value* value = activation_->frame.Find(expr.text)) return Assumed(*value);
  BadCode(expr, fmt::format("`{}` is not set", expr.text));
}

const std::string& Interpreter::DottedName(const Expr& expr) {
  const auto [found, is_new] = dotted_names_.try_emplace(&expr);
  if (!is_new) return found->second;
  found->second = DottedNameOf(expr);
  return found->second;
}

const Type& Interpreter::TypeFrom(const Expr& expr) {
  const auto known = types_.find(&expr);
  if (known != types_.end()) return known->second;
  return types_.emplace(&expr, ToType(expr)).first->second;
}

Value Interpreter::EvaluateAttribute(const Expr& expr) {
  const std::string& name = DottedName(expr);
  if (!name.empty()) return Global(name, expr);
  return AttributeOf(Evaluate(expr.operands[0]), expr);
}

Value Interpreter::AttributeOf(const Value& object, const Expr& expr) {
  if (!IsUsable(object, expr.text)) return {Missing{.reason = "", .reported = true}};
  if (const auto* cell = object.As<CellPtr>(); cell && (*cell)->kind == Cell::Kind::kObject)
    return CellAttribute(**cell, expr);
  if (const auto* tuple = object.As<TuplePtr>(); tuple && (*tuple)->type) {
    const auto& fields = (*tuple)->type->fields;
    for (size_t i = 0; i < fields.size() && i < (*tuple)->items.size(); ++i) {
      if (fields[i].name == expr.text) return (*tuple)->items[i];
    }
  }
  if (const auto* member = object.As<EnumValue>()) {
    if (expr.text == "name") return {member->name};
    if (expr.text == "value") return *member->value;
  }
  if (object.As<Tensor>() || object.As<ir::Word>()) return CallOperator("prim::" + expr.text, {{object}, {}}, expr);
  BadCode(expr, fmt::format("{} has no attribute `{}`", KindOf(object), expr.text));
}

Value Interpreter::CellAttribute(const Cell& cell, const Expr& expr) {
  const auto found = cell.attributes.find(expr.text);
  if (found != cell.attributes.end()) return found->second;
  if (cell.type) {
    for (const Field& field : cell.type->fields) {
      if (field.name == expr.text && field.value) return Evaluate(*field.value);
    }
  }
  BadCode(expr, fmt::format("an object of {} has no attribute `{}`", cell.type_name, expr.text));
}

Value Interpreter::Global(const std::string& name, const Expr& expr) {
  if (name.starts_with("CONSTANTS.c")) return ConstantOf(name, expr);
  const auto function = program_.functions.find(name);
  if (function != program_.functions.end()) return {FunctionValue{&function->second, nullptr, nullptr}};
  const size_t dot = name.rfind('.');
  const auto type = program_.classes.find(name.substr(0, dot));
  if (type != program_.classes.end() && type->second.kind == ClassKind::kEnum)
    return EnumMember(type->second, name.substr(dot + 1), expr);
  if (type != program_.classes.end()) {
    if (const Function* method = type->second.FindMethod(name.substr(dot + 1)))
      return {FunctionValue{method, nullptr, nullptr}};
  }
  BadCode(expr, fmt::format("the archive has no `{}`", name));
}

Value Interpreter::EnumMember(const Class& type, const std::string& name, const Expr& expr) {
  for (const Field& member : type.fields) {
    if (member.name != name || !member.value) continue;
    return {EnumValue{&type, name, MakeOwned<const Value>(Evaluate(*member.value))}};
  }
  BadCode(expr, fmt::format("{} has no member `{}`", type.qualified_name, name));
}

Value Interpreter::ConstantOf(const std::string& name, const Expr& expr) {
  constexpr size_t kPrefix = sizeof("CONSTANTS.c") - 1;
  size_t index = 0;
  const char* end = name.data() + name.size();
  const auto [stop, code] = std::from_chars(name.data() + kPrefix, end, index);
  if (code != std::errc() || stop != end || index >= constants_.size())
    BadCode(expr, fmt::format("the archive has no `{}`", name));
  return NamedConstant(constants_[index], tracer_);
}

Value Interpreter::EvaluateSubscript(const Expr& expr) {
  Value object = Evaluate(expr.operands[0]);
  Value index = Evaluate(expr.operands[1]);
  if (!IsUsable(object, "the container") || !IsUsable(index, "the index"))
    return {Missing{.reason = "", .reported = true}};
  const auto* tuple = object.As<TuplePtr>();
  const auto* position = index.As<int64_t>();
  if (!tuple || !position) return CallOperator("aten::__getitem__", {{std::move(object), std::move(index)}, {}}, expr);
  const auto size = static_cast<int64_t>((*tuple)->items.size());
  const int64_t at = *position < 0 ? *position + size : *position;
  if (at < 0 || at >= size) throw Refusal::Raised(fmt::format("index {} is outside a tuple of {}", *position, size));
  return (*tuple)->items[static_cast<size_t>(at)];
}

Value Interpreter::EvaluateList(const Expr& expr) { return {heap_.NewList(EvaluateElements(expr.operands))}; }

Value Interpreter::EvaluateDict(const Expr& expr) {
  const Value dict = {heap_.NewDict()};
  for (size_t i = 0; i + 1 < expr.operands.size(); i += 2) {
    Value key = Evaluate(expr.operands[i]);
    // One key twice: the first place, the last value.
    CallOperator("aten::_set_item", {{dict, std::move(key), Doubted(Evaluate(expr.operands[i + 1]))}, {}}, expr);
  }
  return dict;
}

bool Interpreter::IsUsable(const Value& value, const std::string& what) {
  const auto* missing = value.As<Missing>();
  if (!missing) return true;
  if (!missing->reported) tracer_.Fail("", missing->reason.empty() ? what + " has no value" : missing->reason);
  return false;
}

}  // namespace onnxport::torchscript
