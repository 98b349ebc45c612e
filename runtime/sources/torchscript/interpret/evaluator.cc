// Evaluates expressions. Operands are evaluated once each, from left to right as in Python, because they may write to
// tensors and lists that later operands read.
#include "runtime/sources/torchscript/interpret/evaluator.h"

#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <utility>

#include "runtime/sources/torchscript/interpret/builtins/wrapped_numbers.h"
#include "runtime/sources/torchscript/interpret/nesting.h"
#include "runtime/sources/torchscript/interpret/values/leaves.h"
#include "runtime/sources/torchscript/interpret/values/refusal.h"
#include "runtime/sources/torchscript/syntax/dotted_name.h"

namespace onnxport::torchscript {

Value Evaluator::Evaluate(const Expr& expr) {
  const Nesting nesting = run_.Nest();
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
      return code_.EvaluateCall(expr);
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
      return operators_.Call("aten::neg", {EvaluateAll(expr.operands, 0), {}}, expr);
    case ExprKind::kEllipsis:
      break;
  }
  BadCode(expr, "`...` has no value", run_);
}

Value Evaluator::EvaluateInt(const Expr& expr) {
  // With several traces, some numbers of the code become computations of sizes (traced_numbers.h).
  if (!numbers_.IsMade(expr)) return {expr.integer};
  LocateAt(expr.offset, &run_);
  return numbers_.Make(expr);
}

ValueList Evaluator::EvaluateAll(const ExprList& exprs, size_t first) {
  ValueList values;
  values.reserve(exprs.size() - first);
  for (size_t i = first; i < exprs.size(); ++i) values.push_back(Evaluate(exprs[i]));
  return values;
}

CallArguments Evaluator::EvaluateArguments(const Expr& call) {
  CallArguments arguments{EvaluateAll(call.operands, 1), {}};
  for (const auto& [name, value] : call.keywords) arguments.keywords.emplace_back(name, Evaluate(value));
  return arguments;
}

ValueList Evaluator::EvaluateElements(const ExprList& exprs) {
  ValueList values = EvaluateAll(exprs, 0);
  for (Value& value : values) value = Doubted(std::move(value));
  return values;
}

Value Evaluator::EvaluateName(const Expr& expr) {
  // An open side has decided this condition: within `if c:` the name `c` is True.
  if (const Value* value = run_.frame().Find(expr.text)) return assumptions_.Apply(*value);
  BadCode(expr, fmt::format("`{}` is not set", expr.text), run_);
}

const Type& Evaluator::TypeFrom(const Expr& expr) {
  const auto known = types_.find(&expr);
  if (known != types_.end()) return known->second;
  return types_.emplace(&expr, ToType(expr)).first->second;
}

Value Evaluator::EvaluateAttribute(const Expr& expr) {
  const std::string name = GlobalName(expr);
  if (!name.empty()) return Global(name, expr);
  return AttributeOf(Evaluate(expr.operands[0]), expr);
}

Value Evaluator::AttributeOf(const Value& object, const Expr& expr) {
  if (!IsUsable(object, expr.text, &run_)) return Reported("");
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
  // `x.dtype`, `x.shape`, `device.type`: LibTorch turns them into operators.
  if (object.As<Tensor>() || object.As<ir::Word>()) return operators_.Call("prim::" + expr.text, {{object}, {}}, expr);
  BadCode(expr, fmt::format("{} has no attribute `{}`", KindOf(object), expr.text), run_);
}

Value Evaluator::CellAttribute(const Cell& cell, const Expr& expr) {
  const auto found = cell.attributes.find(expr.text);
  if (found != cell.attributes.end()) return found->second;
  if (cell.type) {
    for (const Field& field : cell.type->fields) {
      if (field.name == expr.text && field.value) return Evaluate(*field.value);
    }
  }
  BadCode(expr, fmt::format("an object of {} has no attribute `{}`", cell.type_name, expr.text), run_);
}

Value Evaluator::Global(const std::string& name, const Expr& expr) {
  // Constants, functions, members of enums, static methods: no name is two of these, so the most frequent come first.
  if (name.starts_with("CONSTANTS.c")) return ConstantOf(name, expr);
  const auto function = run_.program().functions.find(name);
  if (function != run_.program().functions.end()) return {FunctionValue{&function->second, nullptr, nullptr}};
  const size_t dot = name.rfind('.');
  const auto type = run_.program().classes.find(name.substr(0, dot));
  if (type != run_.program().classes.end() && type->second.kind == ClassKind::kEnum)
    return EnumMember(type->second, name.substr(dot + 1), expr);
  if (type != run_.program().classes.end()) {
    if (const Function* method = type->second.FindMethod(name.substr(dot + 1)))
      return {FunctionValue{method, nullptr, nullptr}};
  }
  BadCode(expr, fmt::format("the archive has no `{}`", name), run_);
}

Value Evaluator::EnumMember(const Class& type, const std::string& name, const Expr& expr) {
  for (const Field& member : type.fields) {
    if (member.name != name || !member.value) continue;
    return {EnumValue{&type, name, MakeOwned<const Value>(Evaluate(*member.value))}};
  }
  BadCode(expr, fmt::format("{} has no member `{}`", type.qualified_name, name), run_);
}

Value Evaluator::ConstantOf(const std::string& name, const Expr& expr) {
  constexpr size_t kPrefix = sizeof("CONSTANTS.c") - 1;
  size_t index = 0;
  const char* end = name.data() + name.size();
  const auto [stop, code] = std::from_chars(name.data() + kPrefix, end, index);
  if (code != std::errc() || stop != end || index >= constants_.size())
    BadCode(expr, fmt::format("the archive has no `{}`", name), run_);
  return NamedConstant(constants_[index], run_.tracer());
}

Value Evaluator::EvaluateSubscript(const Expr& expr) {
  Value object = Evaluate(expr.operands[0]);
  Value index = Evaluate(expr.operands[1]);
  if (!IsUsable(object, "the container", &run_) || !IsUsable(index, "the index", &run_)) return Reported("");
  const auto* tuple = object.As<TuplePtr>();
  const auto* position = index.As<int64_t>();
  // Tuples are indexed here, because their elements have different types. For other values `__getitem__` is an
  // operator.
  if (!tuple || !position)
    return operators_.Call("aten::__getitem__", {{std::move(object), std::move(index)}, {}}, expr);
  const auto size = static_cast<int64_t>((*tuple)->items.size());
  const int64_t at = *position < 0 ? *position + size : *position;
  if (at < 0 || at >= size) throw Refusal::Raised(fmt::format("index {} is outside a tuple of {}", *position, size));
  return (*tuple)->items[static_cast<size_t>(at)];
}

Value Evaluator::EvaluateList(const Expr& expr) { return {run_.EditHeap().NewList(EvaluateElements(expr.operands))}; }

Value Evaluator::EvaluateDict(const Expr& expr) {
  const Value dict = {run_.EditHeap().NewDict()};
  for (size_t i = 0; i + 1 < expr.operands.size(); i += 2) {
    Value key = Evaluate(expr.operands[i]);
    // A repeated key has the first place and the last value.
    operators_.Call("aten::_set_item", {{dict, std::move(key), Doubted(Evaluate(expr.operands[i + 1]))}, {}}, expr);
  }
  return dict;
}

}  // namespace onnxport::torchscript
