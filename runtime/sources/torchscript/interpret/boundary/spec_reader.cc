// Reads an input as the user describes it, and checks it against the parameter's type. After a mistake its value is
// None, so that the other inputs are checked, too.
#include "runtime/sources/torchscript/interpret/boundary/spec_reader.h"

#include <fmt/format.h>

#include <utility>
#include <variant>

#include "runtime/sources/torchscript/interpret/boundary/input_forms.h"

namespace onnxport::torchscript {
namespace {

using ir::ValueKind;

ir::Value Typed(ValueKind kind, ir::DType dtype, std::optional<ir::Dims> dims) {
  ir::Value value;
  value.kind = kind;
  value.dtype = dtype;
  value.dims = std::move(dims);
  return value;
}

}  // namespace

Value SpecReader::Wrong(const std::string& name, const std::string& what) {
  mistakes_.push_back(fmt::format("input `{}`: {}", name, what));
  return Value{None{}};
}

Value SpecReader::Read(const Input& spec, const Type& type) {
  if (type.Is("Optional") || type.Is("Union")) {
    // None if the user says so. Otherwise the member that fits; if none does, the first one, for its error message.
    if (spec.fixed && std::holds_alternative<std::monostate>(*spec.fixed)) return Value{None{}};
    for (const Type& option : type.args) {
      if (!option.Is("NoneType") && Fits(spec, option)) return Read(spec, option);
    }
    for (const Type& option : type.args) {
      if (!option.Is("NoneType")) return Read(spec, option);
    }
  }
  if (spec.list) return ReadList(spec, type);
  if (spec.fixed) return ReadFixed(spec, type);
  if (type.Is("Tensor") || type.Is("Any")) return AddTensor(spec.name, spec.dtype, SpecDims(spec));
  struct Scalar {
    const char* type;
    ir::DType dtype;
    ValueKind kind;
  };
  static constexpr Scalar kScalars[] = {{"int", ir::DType::kInt64, ValueKind::kInt},
                                        {"float", ir::DType::kFloat64, ValueKind::kFloat},
                                        {"bool", ir::DType::kBool, ValueKind::kBool}};
  for (const Scalar& scalar : kScalars) {
    if (!type.Is(scalar.type)) continue;
    if (spec.dtype != scalar.dtype || !spec.dims || !spec.dims->empty()) {
      return Wrong(spec.name, fmt::format("a parameter of type {} is given by each run as {}[], here is {}{}",
                                          type.name, ir::ShortName(scalar.dtype), ir::ShortName(spec.dtype),
                                          spec.dims && spec.dims->empty() ? "[]" : ""));
    }
    return Value{Number{tracer_.AddInput(spec.name, Typed(scalar.kind, scalar.dtype, ir::Dims{}))}};
  }
  return Wrong(spec.name, fmt::format("the parameter is {}, here is a tensor; write {}", ToString(type),
                                      Example(spec.name, type)));
}

Value SpecReader::ReadList(const Input& spec, const Type& type) {
  if (!type.Is("List") || !type.args[0].Is("Tensor"))
    return Wrong(spec.name, fmt::format("the parameter is {}, here is a list of tensors; write {}", ToString(type),
                                        Example(spec.name, type)));
  // A name means any size here, because each element may have its own.
  std::optional<ir::Dims> dims = SpecDims(spec);
  for (size_t i = 0; dims && i < dims->size(); ++i) {
    if (!(*dims)[i].is_number()) (*dims)[i] = ir::Dim();
  }
  const CellPtr list = heap_.NewList({}, type.args[0]);
  heap_.Edit(list).sequence = tracer_.AddInput(spec.name, Typed(ValueKind::kSequence, spec.dtype, std::move(dims)));
  return Value{list};
}

Value SpecReader::ReadFixed(const Input& spec, const Type& type) {
  const auto& fixed = *spec.fixed;
  if (const auto* number = std::get_if<int64_t>(&fixed)) {
    if (type.Is("int") || type.Is("number")) return Value{*number};
    if (type.Is("float")) return Value{static_cast<double>(*number)};
  }
  if (const auto* number = std::get_if<double>(&fixed); number && (type.Is("float") || type.Is("number")))
    return Value{*number};
  if (const auto* boolean = std::get_if<bool>(&fixed); boolean && type.Is("bool")) return Value{*boolean};
  if (const auto* text = std::get_if<std::string>(&fixed); text && type.Is("str")) return Value{*text};
  if (const auto* text = std::get_if<std::string>(&fixed); text && type.Is("Device")) return Value{ir::Word{*text}};
  return Wrong(spec.name, fmt::format("the parameter is {}; write {}", ToString(type), Example(spec.name, type)));
}

Value SpecReader::AddTensor(const std::string& name, ir::DType dtype, std::optional<ir::Dims> dims) {
  return Value{Tensor{tracer_.AddInput(name, Typed(ValueKind::kTensor, dtype, std::move(dims)))}};
}

}  // namespace onnxport::torchscript
