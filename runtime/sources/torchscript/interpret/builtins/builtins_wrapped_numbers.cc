#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "runtime/ir/dtype.h"
#include "runtime/ir/location.h"
#include "runtime/sources/torchscript/interpret/builtins/call_site.h"
#include "runtime/sources/torchscript/interpret/builtins/wrapped_numbers.h"

namespace onnxport::torchscript {
namespace {

using ir::DType;

// The long names are aliases. LibTorch replaces them when it loads a file.
constexpr std::string_view kOperators[] = {"add", "div", "divide", "mul", "multiply", "sub", "subtract", "true_divide"};

// The second operand of such an operator on tensors; null for any other call, such as `div` with a rounding mode.
Value* SecondOperand(const CallSite& call) {
  if (!call.op.starts_with("aten::") || std::ranges::find(kOperators, call.name()) == std::end(kOperators))
    return nullptr;
  if (call.As<Tensor>(0) == nullptr) return nullptr;
  Value* other = call.size() == 2 ? &call.args[1] : nullptr;
  for (auto& [name, value] : call.keywords) {
    if (name == "other" && call.size() == 1) {
      other = &value;
    } else if (name != "alpha") {
      return nullptr;
    }
  }
  return other;
}

// PyTorch's promotion if `weak` has a lower priority: a 0-d tensor with others, or a number with tensors.
DType Beside(DType strong, DType weak) {
  const bool raises = strong == DType::kBool || (ir::IsFloat(weak) && !ir::IsFloat(strong));
  return raises && !ir::IsComplex(strong) ? ir::Promote(strong, weak) : strong;
}

// Returns true if a tensor and a number give the same result dtype.
bool IsSameEitherWay(const ir::Value& self, DType constant) {
  if (!self.dims) return false;
  const DType number = ir::IsFloat(constant) ? DType::kFloat32 : DType::kInt64;
  const DType as_tensor = self.dims->empty() ? ir::Promote(self.dtype, constant) : Beside(self.dtype, constant);
  return as_tensor == Beside(self.dtype, number);
}

}  // namespace

Value NamedConstant(Value constant, const trace::Tracer& tracer) {
  auto* tensor = std::get_if<Tensor>(&constant.v);
  if (tensor == nullptr) return constant;
  const ir::Value& type = tracer.TypeOf(tensor->id);
  const bool is_number = ir::IsFloat(type.dtype) || ir::IsInt(type.dtype);
  if (is_number && type.dims && type.dims->empty()) tensor->wraps = Wraps::kYes;
  return constant;
}

Value Doubted(Value value) {
  auto* tensor = std::get_if<Tensor>(&value.v);
  if (tensor != nullptr && tensor->wraps == Wraps::kYes) tensor->wraps = Wraps::kMaybe;
  return value;
}

void WrapNumbers(const CallSite& call) {
  Value* other = SecondOperand(call);
  const Tensor* constant = other == nullptr ? nullptr : other->As<Tensor>();
  if (constant != nullptr && constant->wraps == Wraps::kMaybe) {
    const ir::Value& self = call.tracer->TypeOf(call.As<Tensor>(0)->id);
    const DType dtype = call.tracer->TypeOf(constant->id).dtype;
    if (!IsSameEitherWay(self, dtype)) {
      throw Refusal(fmt::format(
          "the second operand is a 0-d {} constant that came through a container, a branch or a loop: whether LibTorch "
          "takes it for a Python number, which decides the dtype of the result, depends on its optimiser; "
          "convert the constant to {}, or use it directly",
          ir::Name(dtype), ir::Name(self.dtype)));
    }
  }
  if (constant != nullptr && constant->wraps == Wraps::kYes) *other = ItemOf(call, *other);
  // Builtins may store them in containers.
  for (Value& arg : call.args) arg = Doubted(std::move(arg));
  for (auto& [name, value] : call.keywords) value = Doubted(std::move(value));
}

void RemarkFloat64(const CallSite& call, const Value& result) {
  const auto dtype_of = [&](const Tensor& tensor) { return call.tracer->TypeOf(tensor.id).dtype; };
  const auto* made = result.As<Tensor>();
  if (made == nullptr || call.tracer->IsFailed(made->id) || dtype_of(*made) != DType::kFloat64) return;
  bool by_constant = false;
  bool by_others = false;
  bool of_others = false;
  const auto look_at = [&](const Value& value) {
    const auto* tensor = value.As<Tensor>();
    if (tensor == nullptr) return;
    const bool is_float64 = dtype_of(*tensor) == DType::kFloat64;
    const bool is_constant = tensor->wraps != Wraps::kNo;
    by_constant = by_constant || (is_constant && is_float64);
    by_others = by_others || (!is_constant && is_float64);
    of_others = of_others || !is_constant;
  };
  for (const Value& arg : call.args) look_at(arg);
  for (const auto& [_, value] : call.keywords) look_at(value);
  if (!by_constant || by_others || !of_others) return;
  const std::string place = ir::FileAndLine(call.tracer->source().location(call.tracer->places().current()));
  call.tracer->findings().Remark(fmt::format(
      "{}`{}` gives float64, because of a 0-d float64 constant. Where the program has a Python number there, the trace "
      "made a tensor of it; if float32 is meant, script the function, export a .pt2, or write `.float()` behind it",
      place.empty() ? "" : place + ": ", call.name()));
}

}  // namespace onnxport::torchscript
