// Evaluates calls, from the name to the result. Names are tried in this order: special forms of the printer, variables
// (which hide outer names), names that start at a root. The last are operators, classes or functions. All others are
// methods of the object before the dot.
#include "runtime/sources/torchscript/interpret/caller.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "runtime/base/error.h"
#include "runtime/sources/torchscript/interpret/builtins/wrapped_numbers.h"
#include "runtime/sources/torchscript/interpret/quantized/packed.h"
#include "runtime/sources/torchscript/interpret/values/leaves.h"
#include "runtime/sources/torchscript/interpret/values/refusal.h"
#include "runtime/sources/torchscript/syntax/dotted_name.h"

namespace onnxport::torchscript {
namespace {

constexpr int kMaxCalls = 200;  // open ones

std::string OperatorOfPlainName(const std::string& name) {
  if (name == "float") return "aten::Float";
  if (name == "int") return "aten::Int";
  if (name == "bool") return "aten::Bool";
  if (name == "complex") return "aten::Complex";
  return "aten::" + name;
}

// The last argument with that name; null if there is none.
const Value* Find(const Keywords& keywords, std::string_view wanted) {
  const Value* found = nullptr;
  for (const auto& [name, value] : keywords) {
    if (name == wanted) found = &value;
  }
  return found;
}

}  // namespace

Value Caller::Evaluate(const Expr& expr) {
  run_.EditCalls().EditTop().calling = expr.offset;
  run_.CountStep();
  const Expr& callee = expr.operands[0];
  if (callee.kind == ExprKind::kName) {
    // Before the arguments are evaluated: the type in `annotate` and the argument of `uninitialized` cannot be
    // evaluated.
    if (auto value = SpecialForm(callee.text, expr)) return std::move(*value);
    if (const Value* variable = run_.frame().Find(callee.text)) {
      const auto* function = variable->As<FunctionValue>();
      if (!function) BadCode(expr, fmt::format("`{}` is {}, no function", callee.text, KindOf(*variable)), run_);
      // A copy, because its arguments may assign to the variable that holds it.
      return CallValue(FunctionValue(*function), evaluator_.EvaluateArguments(expr));
    }
    return operators_.Call(OperatorOfPlainName(callee.text), evaluator_.EvaluateArguments(expr), expr);
  }
  if (callee.kind != ExprKind::kAttribute) BadCode(expr, "only functions and methods are called", run_);
  const std::string name = GlobalName(callee);
  if (!name.empty()) return CallGlobal(name, expr);
  return CallMethodOf(evaluator_.Evaluate(callee.operands[0]), expr);
}

std::optional<Value> Caller::SpecialForm(const std::string& name, const Expr& expr) {
  const size_t count = expr.operands.size() - 1;
  if ((name == "annotate" || name == "unchecked_cast") && count == 2)
    return annotations_.Annotate(expr.operands[1], evaluator_.Evaluate(expr.operands[2]), expr);
  if (name == "uninitialized" && count == 1) {
    return Value{
        Missing{.reason = fmt::format("a {} that is never set", ToString(evaluator_.TypeFrom(expr.operands[1]))),
                .reported = false,
                .unset = true}};
  }
  if (name == "isinstance" && count == 2) return annotations_.IsInstance(expr);
  if (name == "print") {
    Remark(expr.offset, "print is not part of the ONNX model", &run_);
    return Value{None{}};
  }
  // `fork` runs its task at once, and `wait` returns the result. Tasks have no side effects, so their order does not
  // matter.
  if (name == "fork" && count >= 1) {
    const Value function = evaluator_.Evaluate(expr.operands[1]);
    const auto* called = function.As<FunctionValue>();
    if (!called) BadCode(expr, "`fork` takes a function", run_);
    return CallValue(*called, {});
  }
  return std::nullopt;
}

Value Caller::CallGlobal(const std::string& name, const Expr& expr) {
  if (name == "ops.prim.RaiseException") Raise(expr);
  if (name == "torch.wait" && expr.operands.size() == 2) return evaluator_.Evaluate(expr.operands[1]);
  if (name.starts_with("torch."))
    return operators_.Call("aten::" + name.substr(6), evaluator_.EvaluateArguments(expr), expr);
  if (name.starts_with("ops.")) {
    const size_t dot = name.find('.', 4);
    if (dot == std::string::npos) BadCode(expr, fmt::format("`{}` is no operator", name), run_);
    return operators_.Call(name.substr(4, dot - 4) + "::" + name.substr(dot + 1), evaluator_.EvaluateArguments(expr),
                           expr);
  }
  const auto type = run_.program().classes.find(name);
  if (type != run_.program().classes.end()) return Construct(type->second, evaluator_.EvaluateArguments(expr), expr);
  if (name.ends_with(".__new__")) {
    const std::string class_name = name.substr(0, name.size() - 8);
    const auto made = run_.program().classes.find(class_name);
    return {run_.EditHeap().NewObject(class_name, made == run_.program().classes.end() ? nullptr : &made->second)};
  }
  const Value function = evaluator_.Global(name, expr);
  const auto* called = function.As<FunctionValue>();
  if (!called) BadCode(expr, fmt::format("`{}` is no function", name), run_);
  return CallValue(*called, evaluator_.EvaluateArguments(expr));
}

Value Caller::Construct(const Class& type, CallArguments arguments, const Expr& expr) {
  if (type.kind == ClassKind::kEnum) return ConstructEnum(type, arguments, expr);
  if (type.kind == ClassKind::kNamedTuple) return ConstructTuple(type, std::move(arguments), expr);
  const CellPtr object = run_.EditHeap().NewObject(type.qualified_name, &type);
  if (const Function* init = type.FindMethod("__init__")) CallMethod(object, *init, std::move(arguments));
  return {object};
}

Value Caller::ConstructEnum(const Class& type, const CallArguments& arguments, const Expr& expr) {
  for (const Field& member : type.fields) {
    if (!member.value || arguments.positional.size() != 1) continue;
    if (Same(evaluator_.Evaluate(*member.value), arguments.positional[0]))
      return evaluator_.EnumMember(type, member.name, expr);
  }
  throw Refusal::Raised(fmt::format("{} has no member of that value", type.qualified_name));
}

Value Caller::ConstructTuple(const Class& type, CallArguments arguments, const Expr& expr) {
  auto tuple = MakeOwned<TupleValue>();
  tuple->type = &type;
  for (Value& value : arguments.positional) tuple->items.push_back(Doubted(std::move(value)));
  for (size_t i = tuple->items.size(); i < type.fields.size(); ++i) {
    const Field& field = type.fields[i];
    const Value* given = Find(arguments.keywords, field.name);
    if (!given && !field.value)
      BadCode(expr, fmt::format("`{}` of {} is not given", field.name, type.qualified_name), run_);
    tuple->items.push_back(Doubted(given ? *given : evaluator_.Evaluate(*field.value)));
  }
  return {TuplePtr(std::move(tuple))};
}

Activation Caller::NewActivation(const Function* function) const {
  const Activation& caller = run_.calls().top();
  return {.function = function,
          .module = caller.module,
          .frame = {},
          .result = {},
          .blocks = run_.blocks(),
          .recorded = caller.recorded || function->recorded,
          .caller = &caller};
}

Value Caller::Execute(std::span<const Stmt> body, Activation* activation) {
  const CallStack::Entered entered(&run_.EditCalls(), activation);
  code_.ExecuteAll(body);
  return activation->result.value_or(Value{None{}});
}

Value Caller::CallValue(const FunctionValue& function, CallArguments arguments) {
  if (!function.closure) return Call(*function.function, std::move(arguments));
  Activation activation = NewActivation(run_.calls().top().function);
  for (const auto& [name, value] : *function.captured) activation.frame.Set(name, Doubted(value));
  return Execute(function.closure->body, &activation);
}

Value Caller::CallMethodOf(const Value& object, const Expr& expr) {
  const std::string& name = expr.operands[0].text;
  if (!IsUsable(object, "the object of " + name, &run_)) return Reported("");
  CallArguments arguments = evaluator_.EvaluateArguments(expr);
  const auto* cell = object.As<CellPtr>();
  if (cell && (*cell)->kind == Cell::Kind::kObject) {
    // Methods of the archive first: a class may have a method with any name, even that of an operator.
    const Function* method = (*cell)->type ? (*cell)->type->FindMethod(name) : nullptr;
    if (method) return CallMethod(*cell, *method, std::move(arguments));
    LocateAt(expr.offset, &run_);
    // Packed weights of quantized modules are C++ objects. Their methods are known without code.
    if (auto result = CallPackedMethod(**cell, name)) return std::move(*result);
    return Failed(fmt::format("{}.{} is C++ code that is not in the archive", (*cell)->type_name, name), &run_);
  }
  if (const auto* tuple = object.As<TuplePtr>(); tuple && (*tuple)->type) {
    if (const Function* method = (*tuple)->type->FindMethod(name)) {
      arguments.positional.insert(arguments.positional.begin(), object);
      return Call(*method, std::move(arguments));
    }
  }
  arguments.positional.insert(arguments.positional.begin(), object);
  return operators_.Call("aten::" + name, std::move(arguments), expr);
}

Value Caller::CallMethod(const CellPtr& object, const Function& method, CallArguments arguments) {
  arguments.positional.insert(arguments.positional.begin(), Value{object});
  return Call(method, std::move(arguments));
}

// Defaults of parameters are evaluated before the function is entered.
Value Caller::Call(const Function& function, CallArguments arguments) {
  if (run_.calls().depth() >= kMaxCalls)
    throw Error(onnxport::Code::kTooManySteps,
                fmt::format("calls are nested more than {} deep at {}: ONNX has no recursion", kMaxCalls,
                            function.qualified_name));
  Activation activation = NewActivation(&function);
  if (!arguments.positional.empty()) {
    const auto* self = arguments.positional[0].As<CellPtr>();
    if (self && (*self)->type && (*self)->type->kind == ClassKind::kModule)
      // A call of a module's method is in that module, for messages and for --functions. A function stays in its
      // caller's.
      activation.module = run_.EditCalls().ModuleOf(**self);
  }
  BindParameters(function, std::move(arguments), &activation.frame);
  return Execute(function.body, &activation);
}

void Caller::BindParameters(const Function& function, CallArguments arguments, Frame* frame) {
  if (arguments.positional.size() > function.params.size())
    throw Error(onnxport::Code::kBadScript,
                fmt::format("{} is called with {} arguments, it takes {}", function.qualified_name,
                            arguments.positional.size(), function.params.size()));
  for (size_t i = 0; i < function.params.size(); ++i) {
    const Param& param = function.params[i];
    if (i < arguments.positional.size()) {
      frame->Set(param.name, std::move(arguments.positional[i]));
      continue;
    }
    const Value* given = Find(arguments.keywords, param.name);
    if (!given && !param.default_value)
      throw Error(onnxport::Code::kBadScript,
                  fmt::format("{} is called without its argument `{}`", function.qualified_name, param.name));
    frame->Set(param.name, given ? *given : evaluator_.Evaluate(*param.default_value));
  }
}

void Caller::Raise(const Expr& call) {
  std::string text = "an exception";
  if (call.operands.size() > 1) {
    const Value message = evaluator_.Evaluate(call.operands[1]);
    if (const auto* known = message.As<std::string>()) text = *known;
  }
  throw Refusal::Raised(fmt::format("{}: {}", run_.calls().Place(call.offset), text));
}

}  // namespace onnxport::torchscript
