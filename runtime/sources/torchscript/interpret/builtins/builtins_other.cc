// Devices, ranges, enums, optional values; what is dropped.
#include <algorithm>

#include "runtime/ir/scalar_type.h"
#include "runtime/sources/torchscript/interpret/builtins/call_site.h"

namespace onnxport::torchscript {
namespace other {
namespace {

// ---- devices are texts: "cuda", "cuda:0"

std::optional<Value> MakeDevice(const CallSite& call) {
  if (call.As<ir::Word>(0) != nullptr) return call.At(0);
  const std::optional<int64_t> index = call.OptionalInt(1);
  return Value{ir::Word{call.Text(0) + (index ? ":" + std::to_string(*index) : "")}};
}

const std::string& DeviceText(const CallSite& call) {
  const auto* word = call.As<ir::Word>(0);
  if (word == nullptr) throw Refusal("a device is needed");
  return word->text;
}

std::optional<Value> DeviceType(const CallSite& call) {
  return Value{DeviceText(call).substr(0, DeviceText(call).find(':'))};
}

std::optional<Value> DeviceIndex(const CallSite& call) {
  const std::string& text = DeviceText(call);
  const size_t colon = text.find(':');
  const std::string digits = colon == std::string::npos ? "" : text.substr(colon + 1, 4);
  const bool is_number =
      !digits.empty() && std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
  return is_number ? Value{static_cast<int64_t>(std::stoi(digits))} : Value{None{}};
}

// ---- ranges as the compiler lowered them

// len(range(low, high, step))
std::optional<Value> RangeLength(const CallSite& call) {
  const int64_t step = call.Int(2);
  if (step == 0) throw Refusal::Raised("range() arg 3 must not be zero");
  const Value& low = call.At(step > 0 ? 0 : 1);
  const Value& high = call.At(step > 0 ? 1 : 0);
  if (IsKnownNumber(low) && IsKnownNumber(high)) {
    const auto from = static_cast<__int128>(call.Int(step > 0 ? 0 : 1)),
               to = static_cast<__int128>(call.Int(step > 0 ? 1 : 0));
    const __int128 stride = step > 0 ? static_cast<__int128>(step) : -static_cast<__int128>(step);
    const __int128 count = to <= from ? 0 : (to - from + stride - 1) / stride;
    return Value{static_cast<int64_t>(std::min<__int128>(count, INT64_MAX))};
  }
  if (step == INT64_MIN) throw Refusal("a range with such a step");
  const int64_t stride = step > 0 ? step : -step;
  Value length = call.Arithmetic(ir::Instruction::kSub, {high, low});
  if (stride != 1) {
    length = call.Arithmetic(ir::Instruction::kFloorDiv,
                             {call.Arithmetic(ir::Instruction::kAdd, {length, {stride - 1}}), {stride}});
  }
  return call.Arithmetic(ir::Instruction::kMax, {length, {int64_t{0}}});
}

// start + index * step
std::optional<Value> DeriveIndex(const CallSite& call) {
  const Value &index = call.At(0), &step = call.At(2);
  if (!IsKnownNumber(index) || !IsKnownNumber(step)) {
    return AddNumbers(call, call.At(1), call.Arithmetic(ir::Instruction::kMul, {index, step}));
  }
  int64_t offset = 0;
  if (__builtin_mul_overflow(call.Int(0), call.Int(2), &offset)) throw Refusal::Raised("integer overflow in a range");
  return AddNumbers(call, call.At(1), {offset});
}

// ---- optional values, enums, tuples

std::optional<Value> Unwrap(const CallSite& call) {
  if (call.At(0).is_none()) throw Refusal::Raised("unwrapping None");
  return call.At(0);
}

std::optional<Value> First(const CallSite& call) { return call.At(0); }

const EnumValue& EnumOf(const CallSite& call) {
  const auto* value = call.As<EnumValue>(0);
  if (value == nullptr) throw Refusal("an enum value is needed");
  return *value;
}
std::optional<Value> EnumName(const CallSite& call) { return Value{EnumOf(call).name}; }
std::optional<Value> EnumMemberValue(const CallSite& call) { return *EnumOf(call).value; }

std::optional<Value> IfThenElse(const CallSite& call) {
  const auto* condition = call.As<bool>(0);
  if (condition != nullptr) return call.At(*condition ? 1 : 2);
  if (!IsNumber(call.At(0)) || !IsNumber(call.At(1)) || !IsNumber(call.At(2))) {
    throw Refusal(onnxport::Code::kNotDecided,
                  "choosing between values that are no numbers by what is known only at run time");
  }
  return call.Run(ir::Instruction::kIte,
                  {*ToScalarArg(call.At(0)), *ToScalarArg(call.At(1)), *ToScalarArg(call.At(2))});
}

// ---- assertions: checked when known, else left out

std::optional<Value> Assert(const CallSite& call) {
  const Value truth = call.As<Tensor>(0) != nullptr ? ItemOf(call, call.At(0)) : call.At(0);
  if (IsKnownNumber(truth) && AsDouble(truth) == 0) {
    throw Refusal::Raised(call.As<std::string>(1) == nullptr ? "assertion failed" : *call.As<std::string>(1));
  }
  if (!IsKnownNumber(truth))
    call.tracer->findings().Remark("an assertion on what is known only at run time is left out");
  return Value{None{}};
}

// ---- state of the interpreter

template <bool kAnswer>
std::optional<Value> Constant(const CallSite&) {
  return Value{kAnswer};
}

std::optional<Value> Dropped(const CallSite&) { return Value{None{}}; }

std::optional<Value> DroppedWithRemark(const CallSite& call) {
  const auto* text = call.As<std::string>(0);
  call.tracer->findings().Remark("`torch." + std::string(call.name()) + "` is left out" +
                                 (text == nullptr ? "" : ": \"" + text->substr(0, 100) + "\""));
  return Value{None{}};
}

std::optional<Value> ProfilerRecord(const CallSite& call) {
  return Value{call.heap->NewObject("__torch__.torch.classes.profiler._RecordFunction", nullptr)};
}

std::optional<Value> AutocastDType(const CallSite&) { return Value{ir::ScalarTypeOf(ir::DType::kBFloat16)}; }

// complex(real, imaginary), for known numbers. Others would need a tensor.
std::optional<Value> ComplexOf(const CallSite& call) {
  Complex number;
  for (size_t i = 0; i < call.size(); ++i) {
    if (!IsKnownNumber(call.At(i))) {
      throw Refusal(onnxport::Code::kArgumentIsNotKnown,
                    "a complex number whose parts are known only at run time; torch.complex makes a tensor of tensors");
    }
    (i == 0 ? number.real : number.imaginary) = AsDouble(call.At(i));
  }
  return Value{number};
}

// Real numbers and tensors have `aten::angle`.
std::optional<Value> Angle(const CallSite& call) {
  if (!IsKnownNumber(call.At(0))) return std::nullopt;
  return Value{AsDouble(call.At(0)) < 0 ? 3.14159265358979323846 : 0.0};
}

constexpr BuiltinRow kRows[] = {
    {"aten::device", MakeDevice},
    {"prim::type", DeviceType},
    {"prim::index", DeviceIndex},
    {"aten::__range_length", RangeLength},
    {"aten::__derive_index", DeriveIndex},
    {"prim::unchecked_unwrap_optional", Unwrap},
    {"aten::_unwrap_optional", Unwrap},
    {"prim::unchecked_cast", First},
    {"prim::TupleUnpack", First},
    {"prim::Guard", First},
    {"prim::awaitable_wait", First},
    {"prim::awaitable_nowait", First},
    {"prim::EnumName", EnumName},
    {"prim::EnumValue", EnumMemberValue},
    {"prim::IfThenElse", IfThenElse},
    {"aten::_assert_scalar", Assert},
    {"aten::_assert_async", Assert},
    {"aten::angle", Angle},
    {"aten::is_grad_enabled", Constant<false>},
    {"aten::is_scripting", Constant<true>},
    {"aten::_get_tracing_state", Constant<false>},
    {"aten::is_autocast_enabled", Constant<false>},
    {"aten::is_autocast_cpu_enabled", Constant<false>},
    {"aten::has_torch_function", Constant<false>},
    {"aten::_nnpack_available", Constant<false>},
    {"aten::is_vulkan_available", Constant<false>},
    {"aten::_use_cudnn_rnn_flatten_weight", Constant<false>},
    {"aten::get_autocast_dtype", AutocastDType},
    {"aten::Complex", ComplexOf},
    {"aten::set_grad_enabled", Dropped},
    {"aten::manual_seed", DroppedWithRemark},
    {"aten::warn", DroppedWithRemark},
    {"aten::_print", DroppedWithRemark},
    {"prim::Print", DroppedWithRemark},
    {"prim::AddStatValue", Dropped},
    {"profiler::_record_function_enter", ProfilerRecord},
    {"profiler::_record_function_enter_new", ProfilerRecord},
    {"profiler::_record_function_exit", Dropped},
};

}  // namespace
}  // namespace other

std::span<const BuiltinRow> OtherBuiltins() { return other::kRows; }

}  // namespace onnxport::torchscript
