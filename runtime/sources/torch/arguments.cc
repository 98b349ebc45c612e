#include "runtime/sources/torch/arguments.h"

#include <ATen/core/Tensor.h>
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "runtime/aten/aten_schema.h"
#include "runtime/base/error.h"
#include "runtime/ir/complex_number.h"
#include "runtime/sources/torch/tensor_memory.h"

namespace onnxport::torch_export {
namespace {

using c10::IValue;
using ir::Arg;

[[noreturn]] void Refuse(const std::string& reason) { throw Error(Code::kUnsupportedCall, reason); }
[[noreturn]] void RefuseType(const std::string& reason) { throw Error(Code::kNoOnnxType, reason); }

Arg WordOf(at::Layout layout) {
  if (layout != at::kStrided) RefuseType("only strided tensors are exported");
  return {ir::Word{"strided"}};
}

Arg WordOf(at::MemoryFormat format) {
  switch (format) {
    case at::MemoryFormat::Preserve:
      return {ir::Word{"preserve_format"}};
    case at::MemoryFormat::ChannelsLast:
      return {ir::Word{"channels_last"}};
    case at::MemoryFormat::ChannelsLast3d:
      return {ir::Word{"channels_last_3d"}};
    default:
      return {ir::Word{"contiguous_format"}};
  }
}

// Layouts, memory formats and dtypes are ints by themselves.
Arg IntOf(int64_t number, c10::TypeKind kind) {
  switch (kind) {
    case c10::TypeKind::ScalarTypeType: {
      const auto type = static_cast<at::ScalarType>(number);
      const std::optional<ir::DType> dtype = DTypeOf(type);
      if (!dtype) RefuseType(fmt::format("ONNX has no word for the dtype {}", c10::toString(type)));
      return {*dtype};
    }
    case c10::TypeKind::LayoutType:
      return WordOf(static_cast<at::Layout>(number));
    case c10::TypeKind::MemoryFormatType:
      return WordOf(static_cast<at::MemoryFormat>(number));
    default:
      return {number};
  }
}

class Converter {
 public:
  explicit Converter(const TensorArg& tensor_arg) : tensor_arg_(tensor_arg) {}

  // The type is asked, too: an IValue does not tell a dtype or a memory format from an int.
  Arg Convert(const IValue& value, const c10::TypePtr& type) const {
    if (const auto* optional = type->castRaw<c10::OptionalType>()) return Convert(value, optional->getElementType());
    if (value.isNone() || value.isGenerator()) return {};
    if (value.isTensor()) return value.toTensor().defined() ? tensor_arg_(value.toTensor()) : Arg{};
    if (value.isBool()) return {value.toBool()};
    if (value.isInt()) return IntOf(value.toInt(), type->kind());
    // A run has numbers for all sizes; which of them are computed of sizes is found by comparing runs.
    if (value.isSymInt()) return {value.toSymInt().guard_int(__FILE__, __LINE__)};
    if (value.isDouble()) return {value.toDouble()};
    if (value.isComplexDouble()) {
      return ir::ComplexNumber(value.toComplexDouble().real(), value.toComplexDouble().imag());
    }
    if (value.isString()) return {value.toStringRef()};
    // Where a run had its tensors is not the model's business.
    if (value.isDevice()) return {ir::Word{value.toDevice().is_meta() ? "cpu" : value.toDevice().str()}};
    if (value.isList()) return ConvertList(value, type);
    Refuse(fmt::format("takes a value of type {}, which no graph holds", value.tagKind()));
  }

 private:
  Arg ConvertList(const IValue& value, const c10::TypePtr& type) const {
    const auto* list = type->castRaw<c10::ListType>();
    const c10::TypePtr element = list != nullptr ? list->getElementType() : c10::AnyType::get();
    ir::ArgList args;
    for (const IValue& item : value.toListRef()) args.push_back(Convert(item, element));
    return {std::move(args)};
  }

  const TensorArg& tensor_arg_;
};

}  // namespace

std::vector<Arg> ArgsOf(const std::string& op, const c10::FunctionSchema& schema, std::span<const IValue> values,
                        const TensorArg& tensor_arg) {
  const Converter converter(tensor_arg);
  std::vector<Arg> args;
  for (size_t i = 0; i < values.size(); ++i) {
    args.push_back(converter.Convert(values[i], schema.arguments()[i].real_type()));
  }
  // The LibTorch that is linked may be another one than that of spec/aten_schemas.txt. Arguments go by name: one that
  // it lacks has the default, one that it has more must have it.
  const ir::AtenSchema* known = ir::FindAtenSchema(op);
  if (known == nullptr) return args;
  std::vector<Arg> in_order;
  for (const ir::AtenArgument& argument : known->arguments) {
    const std::optional<int> position = schema.argumentIndexWithName(argument.name);
    if (!position && !argument.default_value) {
      Refuse(fmt::format("has no argument '{}' in this LibTorch, as it has in {}", argument.name,
                         ir::AtenSchemasOrigin()));
    }
    if (position) {
      in_order.push_back(std::move(args[static_cast<size_t>(*position)]));
    } else {
      in_order.push_back(*argument.default_value);
    }
  }
  for (size_t i = 0; i < values.size(); ++i) {
    const c10::Argument& argument = schema.arguments()[i];
    if (known->FindArgument(argument.name()) < 0 && argument.default_value() != values[i]) {
      Refuse(fmt::format("has an argument '{}' in this LibTorch, which is not known here", argument.name()));
    }
  }
  return in_order;
}

void VisitTensors(const IValue& value, const std::function<void(const at::Tensor&)>& visit) {
  if (value.isTensor()) {
    if (value.toTensor().defined()) visit(value.toTensor());
  } else if (value.isList()) {
    for (const IValue& item : value.toListRef()) VisitTensors(item, visit);
  } else if (value.isTuple()) {
    for (const IValue& item : value.toTupleRef().elements()) VisitTensors(item, visit);
  } else if (value.isGenericDict()) {
    for (const auto& entry : value.toGenericDict()) VisitTensors(entry.value(), visit);
  }
}

}  // namespace onnxport::torch_export
