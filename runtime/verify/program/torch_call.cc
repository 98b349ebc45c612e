#include "runtime/verify/program/torch_call.h"

#include <ATen/ScalarOps.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/jit/runtime/operator.h>

#include <string_view>

#include "runtime/base/refusal.h"
#include "runtime/verify/program/torch_values.h"

namespace onnxport::verify {
namespace {

using c10::IValue;

IValue FromWord(const std::string& word, c10::TypeKind kind) {
  // A program that was exported on "cuda:0" is compared here on the CPU.
  if (kind == c10::TypeKind::DeviceObjType || word == "cpu") return at::Device(at::kCPU);
  if (word == "strided") return static_cast<int64_t>(at::kStrided);
  if (word == "contiguous_format") return static_cast<int64_t>(at::MemoryFormat::Contiguous);
  if (word == "preserve_format") return static_cast<int64_t>(at::MemoryFormat::Preserve);
  if (word == "channels_last") return static_cast<int64_t>(at::MemoryFormat::ChannelsLast);
  if (word == "channels_last_3d") return static_cast<int64_t>(at::MemoryFormat::ChannelsLast3d);
  throw Refusal("no value for the word " + word);
}

IValue Plain(const ir::Arg& arg, c10::TypeKind kind, const ValueOf& value_of) {
  if (const auto* id = arg.value()) return value_of(*id);
  if (const auto* dtype = std::get_if<ir::DType>(&arg.v)) return ScalarTypeOf(*dtype);
  if (const auto* text = std::get_if<std::string>(&arg.v)) return *text;
  if (const auto* word = std::get_if<ir::Word>(&arg.v)) return FromWord(word->text, kind);
  if (const auto* b = std::get_if<bool>(&arg.v)) return *b;
  if (const auto* d = std::get_if<double>(&arg.v)) return *d;
  const auto* i = std::get_if<int64_t>(&arg.v);
  if (i == nullptr) throw Refusal("an argument that is neither a number, a text nor a tensor");
  return *i;
}

// A number in the place of a tensor is one that takes part in no promotion, as Python's numbers do.
at::Tensor WrappedNumber(const at::Scalar& number) {
  at::Tensor tensor = c10::scalar_to_tensor(number);
  tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
  return tensor;
}

IValue MakeOne(const ir::Arg& arg, c10::TypeKind kind, const ValueOf& value_of) {
  const IValue value = Plain(arg, kind, value_of);
  // A file writes `eps=1`; a kernel that asks for a double refuses an int.
  if (kind == c10::TypeKind::FloatType && value.isInt()) return static_cast<double>(value.toInt());
  if (kind == c10::TypeKind::TensorType && value.isScalar()) return WrappedNumber(value.toScalar());
  return value;
}

// Kernels take sizes as plain integers.
IValue MakeSizes(const ir::Arg& arg, const ValueOf& value_of) {
  c10::List<int64_t> list;
  const auto add = [&](const ir::Arg& item) {
    list.push_back(MakeOne(item, c10::TypeKind::IntType, value_of).toInt());
  };
  if (const auto* items = arg.list()) {
    for (const ir::Arg& item : *items) add(item);
  } else {
    add(arg);
  }
  return list;
}

IValue MakeList(const ir::Arg& arg, const c10::ListType& type, const ValueOf& value_of) {
  if (type.getElementType()->kind() == c10::TypeKind::SymIntType) return MakeSizes(arg, value_of);
  c10::impl::GenericList list(type.getElementType());
  if (const auto* items = arg.list()) {
    for (const ir::Arg& item : *items) list.push_back(MakeArgument(item, type.getElementType(), value_of));
  } else {  // `int[2] stride=1` takes one int
    list.push_back(MakeArgument(arg, type.getElementType(), value_of));
  }
  return list;
}

}  // namespace

IValue MakeArgument(const ir::Arg& arg, const c10::TypePtr& type, const ValueOf& value_of) {
  if (arg.is_none()) return IValue();
  if (const auto* optional = type->castRaw<c10::OptionalType>()) {
    return MakeArgument(arg, optional->getElementType(), value_of);
  }
  if (const auto* list = type->castRaw<c10::ListType>()) return MakeList(arg, *list, value_of);
  return MakeOne(arg, type->kind(), value_of);
}

Operator FindOperator(const std::string& overload) {
  const size_t dot = overload.find('.');
  const std::string name = overload.substr(0, dot);
  const std::string variant = dot == std::string::npos ? "" : overload.substr(dot + 1);
  if (const auto handle = c10::Dispatcher::singleton().findSchema({name, variant}))
    return {&handle->schema(), [handle](torch::jit::Stack& stack) { handle->callBoxed(&stack); }};
  for (const auto& op : torch::jit::getAllOperatorsFor(c10::Symbol::fromQualString(name))) {
    if (op->schema().overload_name() == variant)
      return {&op->schema(), [op](torch::jit::Stack& stack) { op->getOperation()(stack); }};
  }
  throw Refusal("PyTorch has no operator " + overload);
}

}  // namespace onnxport::verify
