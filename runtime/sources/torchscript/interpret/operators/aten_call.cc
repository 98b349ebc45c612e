// Makes a call that no builtin has taken. It chooses the overload, corrects for changes since the file was written, and
// makes the call on the tracer. The schema decides which values its results become.
#include "runtime/sources/torchscript/interpret/operators/aten_call.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/aten/aten_schema.h"
#include "runtime/ir/scalar_type.h"
#include "runtime/sources/torchscript/interpret/values/values.h"

namespace onnxport::torchscript {
namespace {

using ir::ValueId;
using ir::ValueKind;

class AtenCall {
 public:
  AtenCall(const CallSite* site, Overloads* overloads) : site_(*site), overloads_(*overloads) {}

  Value Run() {
    auto resolved = overloads_.Resolve(site_.op, site_.args, site_.keywords);
    if (const auto* why = std::get_if<Reason>(&resolved)) {
      for (const Value& arg : site_.args) CheckElements(arg);
      throw Refusal(*why);
    }
    ResolvedCall& call = std::get<ResolvedCall>(resolved);
    // Before anything reads the name, because in old code it may mean another operator.
    AsTrained(&call);
    if (const std::optional<Value> same = MoveOnly(call)) return *same;
    return Results(*call.schema, site_.tracer->Call(call.schema->name, std::move(call.args)));
  }

 private:
  // A list with a missing element fits no overload. The reason why it is missing is the better message.
  static void CheckElements(const Value& arg) {
    const CellPtr* list = AsList(arg);
    if (list == nullptr) return;
    for (const Value& item : (*list)->items) {
      const auto* missing = item.As<Missing>();
      if (missing != nullptr && missing->reported) throw Refusal::Reported(missing->reason.text);
      if (missing != nullptr) throw Refusal(missing->reason);
    }
  }

  const ir::Arg& Argument(const ResolvedCall& call, std::string_view name) const {
    return call.args[static_cast<size_t>(call.schema->FindArgument(name))];
  }

  void Become(ResolvedCall* call, const char* name, std::vector<ir::Arg> args) const {
    call->schema = ir::FindAtenSchema(name);
    call->args = std::move(args);
  }

  // Operators whose meaning changed, for code that an older LibTorch wrote.
  void AsTrained(ResolvedCall* call) const {
    if (site_.program == nullptr) return;
    const int version = site_.program->version;
    const std::string& name = call->schema->name.text();
    // Before version 4, `/` of two integers rounded towards zero. Since then it gives a float.
    if (version < 4 && (name == "aten::div.Tensor" || name == "aten::div_.Tensor") && IsIntegral(call->args)) {
      Become(call, name == "aten::div.Tensor" ? "aten::div.Tensor_mode" : "aten::div_.Tensor_mode",
             {call->args[0], call->args[1], {std::string("trunc")}});
    } else if (version < 4 && (name == "aten::div.Scalar" || name == "aten::div_.Scalar") && IsIntegral(call->args)) {
      Become(call, name == "aten::div.Scalar" ? "aten::div.Scalar_mode" : "aten::div_.Scalar_mode",
             {call->args[0], call->args[1], {std::string("trunc")}});
    } else if (version < 5 && name == "aten::full" && call->args[2].is_none()) {
      // Since then the dtype follows from the value. Before, it was the default dtype.
      call->args[2] = {ir::DType::kFloat32};
    }
  }

  bool IsIntegral(const std::vector<ir::Arg>& args) const {
    return std::all_of(args.begin(), args.end(), [&](const ir::Arg& arg) {
      if (const ValueId* id = arg.value()) {
        const ir::Value& type = site_.tracer->TypeOf(*id);
        return type.kind == ValueKind::kTensor ? !ir::IsFloat(type.dtype) : type.kind != ValueKind::kFloat;
      }
      return !std::holds_alternative<double>(arg.v);
    });
  }

  // `x.to("cuda")` and similar calls: the tensor itself, a copy, or only another dtype.
  std::optional<Value> MoveOnly(ResolvedCall& call) const {
    const std::string& name = call.schema->name.text();
    if (!name.starts_with("aten::to.prim_")) return std::nullopt;
    const ir::Arg copy = Argument(call, "copy"),
                  dtype = name == "aten::to.prim_other" ? ir::Arg{} : Argument(call, "dtype");
    const ir::Arg self = call.args[0];
    if (const auto* number = std::get_if<int64_t>(&dtype.v)) {
      const std::optional<ir::DType> known = ir::DTypeOfScalarType(*number);
      if (!known) throw Refusal(onnxport::Code::kNoOnnxType, "dtype " + std::to_string(*number) + " has no ONNX type");
      Become(&call, "aten::to.dtype", {self, {*known}, {false}, copy, {ir::None{}}});
      return std::nullopt;
    }
    // The device does not matter to a model, but a copy does: a write to one is not visible in the other.
    if (const auto* copies = std::get_if<bool>(&copy.v); copies != nullptr && *copies) {
      Become(&call, "aten::clone", {self, {ir::None{}}});
      return std::nullopt;
    }
    return Value{Tensor{*self.value()}};
  }

  Value Results(const ir::AtenSchema& schema, std::vector<ir::Arg> results) {
    if (schema.results.empty() || results.empty()) return {None{}};
    ValueList values;
    for (size_t i = 0; i < std::min(results.size(), schema.results.size()); ++i) {
      const ir::AtenType& type = schema.results[i].type;
      values.push_back(IsLeftOut(type, results[i]) ? Value{Missing{"result " + std::to_string(i) + " of " +
                                                                   schema.name.text() + " is not exported"}}
                                                   : Result(type, results[i]));
    }
    return values.size() == 1 ? values[0] : TupleOf(std::move(values));
  }

  // A spec has `none` for a result that ONNX cannot express. It is not the None of a program, which may be an output.
  static bool IsLeftOut(const ir::AtenType& type, const ir::Arg& arg) {
    return arg.is_none() && type.kind == ir::AtenKind::kTensor && !type.optional;
  }

  bool IsFailed(const ir::Arg& arg) const {
    const ValueId* id = arg.value();
    return id != nullptr && *id != ValueId::kNone && site_.tracer->IsFailed(*id);
  }

  Value Result(const ir::AtenType& type, const ir::Arg& arg) {
    const bool is_tensor = type.kind == ir::AtenKind::kTensor && !type.list;
    // A failed tensor can be used further, because calls on it fail silently. For a list, not even the length is known.
    if (IsFailed(arg)) return is_tensor ? Value{Tensor{*arg.value()}} : Reported("a call before it failed");
    if (!type.list) return FromScalarArg(arg, *site_.tracer);
    static constexpr std::pair<ir::AtenKind, const char*> kElements[] = {
        {ir::AtenKind::kTensor, "Tensor"}, {ir::AtenKind::kInt, "int"},   {ir::AtenKind::kSymInt, "int"},
        {ir::AtenKind::kFloat, "float"},   {ir::AtenKind::kBool, "bool"}, {ir::AtenKind::kString, "str"}};
    Type element;
    for (const auto& [kind, name] : kElements) {
      if (kind == type.kind) element = {name, {}};
    }
    const CellPtr list = site_.heap->NewList({}, element);
    if (const ir::ArgList* items = arg.list()) {
      for (const ir::Arg& item : *items) list->items.push_back(FromScalarArg(item, *site_.tracer));
      return {list};
    }
    const ValueId* id = arg.value();
    if (id == nullptr || site_.tracer->TypeOf(*id).kind != ValueKind::kSequence) {
      throw Refusal("the length of the list that it gives is not known");
    }
    site_.heap->Edit(list).sequence = *id;
    return {list};
  }

  const CallSite& site_;
  Overloads& overloads_;
};

}  // namespace

Value CallAten(const CallSite& site, Overloads* overloads) { return AtenCall(&site, overloads).Run(); }

}  // namespace onnxport::torchscript
