// Calls: operators, functions, methods, constructors, and what only looks like a call.
#include <fmt/format.h>

#include <memory>
#include <span>
#include <utility>

#include "runtime/base/error.h"
#include "runtime/torchscript/interpret/builtins/wrapped_numbers.h"
#include "runtime/torchscript/interpret/interpreter.h"
#include "runtime/torchscript/interpret/values/instance.h"
#include "runtime/torchscript/interpret/values/leaves.h"

namespace onnxport::torchscript {
namespace {

constexpr int kMaxCalls = 200;  // open ones
constexpr int kScanDepth = 8;   // of lists in lists that operators look into

// "torch.nn.modules.conv.Conv2d" of "__torch__.torch.nn.modules.conv.___torch_mangle_3.Conv2d".
std::string PythonName(const std::string& qualified) {
  std::string name;
  for (size_t begin = 0; begin < qualified.size();) {
    size_t end = qualified.find('.', begin);
    if (end == std::string::npos) end = qualified.size();
    const std::string part = qualified.substr(begin, end - begin);
    if (part != "__torch__" && !part.starts_with("___torch_mangle_")) name += (name.empty() ? "" : ".") + part;
    begin = end + 1;
  }
  return name;
}

// A method that calls another of its own module does not enter it again.
std::shared_ptr<const ir::ModuleCall> Entering(const Cell& module, const std::shared_ptr<const ir::ModuleCall>& caller,
                                               std::unordered_map<std::string, int>* entered) {
  if (caller && caller->path == module.path) return caller;
  const int number = (*entered)[module.path]++;
  return std::make_shared<const ir::ModuleCall>(module.path, PythonName(module.type_name), caller, number);
}

std::string OperatorOfPlainName(const std::string& name) {
  if (name == "float") return "aten::Float";
  if (name == "int") return "aten::Int";
  if (name == "bool") return "aten::Bool";
  if (name == "complex") return "aten::Complex";
  return "aten::" + name;
}

// The innermost activation while a function runs.
class Entered {
 public:
  Entered(Activation** current, Activation* next, int* calls) : current_(*current), outer_(*current), calls_(*calls) {
    *current = next;
    ++calls_;
  }
  ~Entered() {
    current_ = outer_;
    --calls_;
  }
  Entered(const Entered&) = delete;

 private:
  Activation*& current_;
  Activation* outer_;
  int& calls_;
};

}  // namespace

CallArguments Interpreter::EvaluateArguments(const Expr& call) {
  CallArguments arguments{EvaluateAll(call.operands, 1), {}};
  for (const auto& [name, value] : call.keywords) arguments.keywords.emplace_back(name, Evaluate(value));
  return arguments;
}

Value Interpreter::EvaluateCall(const Expr& expr) {
  activation_->calling = expr.offset;
  CountStep();
  const Expr& callee = expr.operands[0];
  if (callee.kind == ExprKind::kName) {
    if (auto value = SpecialForm(callee.text, expr)) return std::move(*value);
    if (const Value* variable = activation_->frame.Find(callee.text)) {
      const auto* function = variable->As<FunctionValue>();
      if (!function) BadCode(expr, fmt::format("`{}` is {}, no function", callee.text, KindOf(*variable)));
      return CallValue(FunctionValue(*function), EvaluateArguments(expr));
    }
    return CallOperator(OperatorOfPlainName(callee.text), EvaluateArguments(expr), expr);
  }
  if (callee.kind != ExprKind::kAttribute) BadCode(expr, "only functions and methods are called");
  const std::string& name = DottedName(callee);
  if (!name.empty()) return CallGlobal(name, expr);
  return CallMethodOf(Evaluate(callee.operands[0]), expr);
}

std::optional<Value> Interpreter::SpecialForm(const std::string& name, const Expr& expr) {
  const size_t count = expr.operands.size() - 1;
  if ((name == "annotate" || name == "unchecked_cast") && count == 2)
    return Annotate(TypeFrom(expr.operands[1]), Evaluate(expr.operands[2]), expr);
  if (name == "uninitialized" && count == 1) {
    return Value{Missing{.reason = fmt::format("a {} that is never set", ToString(TypeFrom(expr.operands[1]))),
                         .reported = false,
                         .unset = true}};
  }
  if (name == "isinstance" && count == 2) return IsInstance(expr);
  if (name == "print") {
    Remark(expr.offset, "print is not part of the ONNX model");
    return Value{None{}};
  }
  if (name == "fork" && count >= 1) {
    const Value function = Evaluate(expr.operands[1]);
    const auto* called = function.As<FunctionValue>();
    if (!called) BadCode(expr, "`fork` takes a function");
    return CallValue(*called, {});
  }
  return std::nullopt;
}

Value Interpreter::IsInstance(const Expr& expr) {
  const Value value = Evaluate(expr.operands[1]);
  if (!IsUsable(value, "the argument of isinstance")) return {Missing{.reason = "", .reported = true}};
  const Expr& types = expr.operands[2];
  const bool several = types.kind == ExprKind::kTuple || types.kind == ExprKind::kList;
  std::string open;  // types that may be the value's
  for (const Expr& expr_of_type : several ? std::span<const Expr>(types.operands) : std::span(&types, 1)) {
    const Type type = TypeFrom(expr_of_type);
    const auto named = program_.classes.find(type.name);
    const bool is_interface = named != program_.classes.end() && named->second.kind == ClassKind::kInterface;
    const std::optional<bool> is = is_interface ? std::nullopt : IsInstanceOf(value, type, tracer_);
    if (is == true) return {true};
    if (!is) open += (open.empty() ? "" : ", ") + ToString(type);
  }
  if (open.empty()) return {false};
  return {Missing{
      .reason = fmt::format("whether {} is an instance of {} is not known at export", KindName(value, tracer_), open)}};
}

// A tensor that is said to be a number is converted, as LibTorch does implicitly.
Value Interpreter::Annotate(const Type& type, Value value, const Expr& expr) {
  if (value.As<Tensor>() && (type.Is("int") || type.Is("float") || type.Is("bool") || type.Is("number"))) {
    const char* op = type.Is("int")     ? "aten::Int"
                     : type.Is("float") ? "aten::Float"
                     : type.Is("bool")  ? "aten::Bool"
                                        : "aten::ScalarImplicit";
    return CallOperator(op, {{std::move(value)}, {}}, expr);
  }
  if (const auto* cell = value.As<CellPtr>(); cell && (*cell)->kind == Cell::Kind::kList &&
                                              (*cell)->element.name.empty() && type.Is("List") && !type.args.empty())
    heap_.Edit(*cell).element = type.args[0];
  return value;
}

Value Interpreter::CallGlobal(const std::string& name, const Expr& expr) {
  if (name == "ops.prim.RaiseException") Raise(expr);
  if (name == "torch.wait" && expr.operands.size() == 2) return Evaluate(expr.operands[1]);
  if (name.starts_with("torch.")) return CallOperator("aten::" + name.substr(6), EvaluateArguments(expr), expr);
  if (name.starts_with("ops.")) {
    const size_t dot = name.find('.', 4);
    if (dot == std::string::npos) BadCode(expr, fmt::format("`{}` is no operator", name));
    return CallOperator(name.substr(4, dot - 4) + "::" + name.substr(dot + 1), EvaluateArguments(expr), expr);
  }
  const auto type = program_.classes.find(name);
  if (type != program_.classes.end()) return Construct(type->second, EvaluateArguments(expr), expr);
  if (name.ends_with(".__new__")) {
    const std::string class_name = name.substr(0, name.size() - 8);
    const auto made = program_.classes.find(class_name);
    return {heap_.NewObject(class_name, made == program_.classes.end() ? nullptr : &made->second)};
  }
  const Value function = Global(name, expr);
  const auto* called = function.As<FunctionValue>();
  if (!called) BadCode(expr, fmt::format("`{}` is no function", name));
  return CallValue(*called, EvaluateArguments(expr));
}

Value Interpreter::Construct(const Class& type, CallArguments arguments, const Expr& expr) {
  if (type.kind == ClassKind::kEnum) {
    for (const Field& member : type.fields) {
      if (member.value && arguments.positional.size() == 1 && Same(Evaluate(*member.value), arguments.positional[0]))
        return EnumMember(type, member.name, expr);
    }
    throw Refusal::Raised(fmt::format("{} has no member of that value", type.qualified_name));
  }
  if (type.kind != ClassKind::kNamedTuple) {
    const CellPtr object = heap_.NewObject(type.qualified_name, &type);
    if (const Function* init = type.FindMethod("__init__")) CallMethod(object, *init, std::move(arguments));
    return {object};
  }
  auto tuple = MakeOwned<TupleValue>();
  tuple->type = &type;
  for (Value& value : arguments.positional) tuple->items.push_back(Doubted(std::move(value)));
  for (size_t i = tuple->items.size(); i < type.fields.size(); ++i) {
    const Field& field = type.fields[i];
    const Value* given = nullptr;
    for (const auto& [name, value] : arguments.keywords) {
      if (name == field.name) given = &value;
    }
    if (!given && !field.value) BadCode(expr, fmt::format("`{}` of {} is not given", field.name, type.qualified_name));
    tuple->items.push_back(Doubted(given ? *given : Evaluate(*field.value)));
  }
  return {TuplePtr(std::move(tuple))};
}

Value Interpreter::CallOperator(const std::string& op, CallArguments arguments, const Expr& expr) {
  LocateAt(expr.offset);
  CountTraced();
  for (const Value& value : arguments.positional) {
    if (!IsUsable(value, "an argument of " + op)) return {Missing{.reason = "", .reported = true}};
  }
  for (const auto& [name, value] : arguments.keywords) {
    if (!IsUsable(value, "an argument of " + op)) return {Missing{.reason = "", .reported = true}};
  }
  NoteScans(op, arguments);
  if (auto result = quantized_.Call(op, arguments.positional, arguments.keywords)) return std::move(*result);
  if (op == "aten::chunk") return Chunk(op, std::move(arguments));
  return builtins_.Call(op, std::move(arguments.positional), std::move(arguments.keywords));
}

// So many chunks there are whatever the size, unless it is smaller; a trace may unpack them.
Value Interpreter::Chunk(const std::string& op, CallArguments arguments) {
  const int64_t* known = arguments.positional.size() > 1 ? arguments.positional[1].As<int64_t>() : nullptr;
  const int64_t count = known ? *known : 0;
  Value result = builtins_.Call(op, std::move(arguments.positional), std::move(arguments.keywords));
  const auto* cell = result.As<CellPtr>();
  if (cell && (*cell)->is_dynamic()) chunks_[(*cell)->sequence] = count;
  return result;
}

void Interpreter::NoteScans(const std::string& op, const CallArguments& arguments) {
  if (scans_ == 0) return;
  const bool appends = op == "aten::append" || op == "aten::extend" || op == "aten::add_";
  for (size_t i = appends ? 1 : 0; i < arguments.positional.size(); ++i)
    NoteScan(arguments.positional[i], op == "aten::__getitem__" ? kScanDepth : 0);
  for (const auto& [name, value] : arguments.keywords) NoteScan(value, 0);
}

void Interpreter::NoteScan(const Value& value, int depth) {
  if (depth > kScanDepth) return;
  if (const auto* cell = value.As<CellPtr>(); cell && (*cell)->kind != Cell::Kind::kObject) {
    if ((*cell)->scan) read_scans_.insert((*cell)->scan);
    for (const Value& item : (*cell)->items) NoteScan(item, depth + 1);
  } else if (const auto* tuple = value.As<TuplePtr>()) {
    for (const Value& item : (*tuple)->items) NoteScan(item, depth + 1);
  }
}

Value Interpreter::CallValue(const FunctionValue& function, CallArguments arguments) {
  if (!function.closure) return Call(*function.function, std::move(arguments));
  Activation activation{.function = activation_->function,
                        .module = activation_->module,
                        .frame = {},
                        .result = {},
                        .blocks = blocks_,
                        .caller = activation_};
  for (const auto& [name, value] : *function.captured) activation.frame.Set(name, Doubted(value));
  const Entered entered(&activation_, &activation, &calls_);
  ExecuteAll(function.closure->body);
  return activation.result.value_or(Value{None{}});
}

Value Interpreter::CallMethodOf(const Value& object, const Expr& expr) {
  const std::string& name = expr.operands[0].text;
  if (!IsUsable(object, "the object of " + name)) return {Missing{.reason = "", .reported = true}};
  CallArguments arguments = EvaluateArguments(expr);
  const auto* cell = object.As<CellPtr>();
  if (cell && (*cell)->kind == Cell::Kind::kObject) {
    const Function* method = (*cell)->type ? (*cell)->type->FindMethod(name) : nullptr;
    if (method) return CallMethod(*cell, *method, std::move(arguments));
    LocateAt(expr.offset);
    if (auto result = quantized_.CallMethod(*cell, name)) return std::move(*result);
    return Failed("", fmt::format("{}.{} is C++ code that is not in the archive", (*cell)->type_name, name));
  }
  if (const auto* tuple = object.As<TuplePtr>(); tuple && (*tuple)->type) {
    if (const Function* method = (*tuple)->type->FindMethod(name)) {
      arguments.positional.insert(arguments.positional.begin(), object);
      return Call(*method, std::move(arguments));
    }
  }
  arguments.positional.insert(arguments.positional.begin(), object);
  return CallOperator("aten::" + name, std::move(arguments), expr);
}

Value Interpreter::CallMethod(const CellPtr& object, const Function& method, CallArguments arguments) {
  arguments.positional.insert(arguments.positional.begin(), Value{object});
  return Call(method, std::move(arguments));
}

Value Interpreter::Call(const Function& function, CallArguments arguments) {
  if (calls_ >= kMaxCalls)
    throw Error(ErrorKind::kCannotExport, fmt::format("calls are nested more than {} deep at {}: ONNX has no recursion",
                                                      kMaxCalls, function.qualified_name));
  Activation activation{.function = &function,
                        .module = activation_->module,
                        .frame = {},
                        .result = {},
                        .blocks = blocks_,
                        .caller = activation_};
  if (!arguments.positional.empty()) {
    const auto* self = arguments.positional[0].As<CellPtr>();
    if (self && (*self)->type && (*self)->type->kind == ClassKind::kModule) {
      activation.module = Entering(**self, activation_->module, &entered_);
    }
  }
  BindParameters(function, std::move(arguments), &activation.frame);
  const Entered entered(&activation_, &activation, &calls_);
  ExecuteAll(function.body);
  return activation.result.value_or(Value{None{}});
}

void Interpreter::BindParameters(const Function& function, CallArguments arguments, Frame* frame) {
  if (arguments.positional.size() > function.params.size())
    throw Error(ErrorKind::kBadInput,
                fmt::format("{} is called with {} arguments, it takes {}", function.qualified_name,
                            arguments.positional.size(), function.params.size()));
  for (size_t i = 0; i < function.params.size(); ++i) {
    const Param& param = function.params[i];
    if (i < arguments.positional.size()) {
      frame->Set(param.name, std::move(arguments.positional[i]));
      continue;
    }
    const Value* given = nullptr;
    for (const auto& [name, value] : arguments.keywords) {
      if (name == param.name) given = &value;
    }
    if (!given && !param.default_value)
      throw Error(ErrorKind::kBadInput,
                  fmt::format("{} is called without its argument `{}`", function.qualified_name, param.name));
    frame->Set(param.name, given ? *given : Evaluate(*param.default_value));
  }
}

void Interpreter::Raise(const Expr& call) {
  std::string text = "an exception";
  if (call.operands.size() > 1) {
    const Value message = Evaluate(call.operands[1]);
    if (const auto* known = message.As<std::string>()) text = *known;
  }
  throw Refusal::Raised(fmt::format("{}: {}", Place(call.offset), text));
}

}  // namespace onnxport::torchscript
