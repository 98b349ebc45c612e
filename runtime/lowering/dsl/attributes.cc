#include "runtime/lowering/dsl/attributes.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/lowering/build/constants.h"
#include "runtime/lowering/build/emitter.h"
#include "runtime/lowering/build/tensor.h"
#include "runtime/onnx/size_refusals.h"

namespace onnxport::lowering {
namespace {

// Prints a size as the reader knows it: "batch - 1".
std::string Text(const Val& value) {
  if (!value.is_list()) {
    const auto size = SizeOf(value);
    return size ? size->ToString() : value.ToString();
  }
  std::string text;
  for (const Val& element : value.AsList()) text += (text.empty() ? "" : ", ") + Text(element);
  return "[" + text + "]";
}

// "; 4*batch follows from axis `batch` of `x`, ..."
std::string WayOut(const Emitter& emitter, const Val& value) {
  const auto size = value.is_list() ? std::nullopt : SizeOf(value);
  const std::string axes = size ? onnx_ops::AxesOf(emitter.graph(), *size) : "";
  if (axes.empty()) return fmt::format("; {}", onnx_ops::kGiveTheValue);
  return fmt::format("; it follows from {}: {}", axes, onnx_ops::kGiveTheSize);
}

[[noreturn]] void RefuseUnknown(const Emitter& emitter, const OpInfo& op, const AttributeInfo& info, const Val& value) {
  throw Refusal(Code::kArgumentIsNotKnown,
                fmt::format("{} of ONNX {} is an attribute at opset {}, but {} is not known before the model runs{}",
                            info.name, op.name, emitter.opset(), Text(value), WayOut(emitter, value)));
}

ir::Arg IntArg(const Val& value) { return {value.is_dtype() ? static_cast<int64_t>(value.AsDType()) : value.AsInt()}; }

template <typename Convert>
ir::Arg ListArg(const Val& value, const Convert& convert) {
  ir::ArgList list;
  if (value.is_list()) {
    for (const Val& element : value.AsList()) list.push_back(convert(element));
  } else {
    list.push_back(convert(value));
  }
  return {std::move(list)};
}

// One element for ConstantOfShape, for any shape of the constant; otherwise 0-d or 1-d.
ir::Arg TensorArg(Emitter* emitter, const OpInfo& op, const AttributeInfo& info, const Val& value) {
  std::shared_ptr<const ir::TensorData> data;
  if (value.is_tensor()) {
    data = emitter->facts().DataOf(value.AsTensor().id);
    if (!data) RefuseUnknown(*emitter, op, info, value);
  } else {
    const ir::DType dtype = DefaultDType(value);
    std::vector<int64_t> shape;
    if (value.is_list()) shape.push_back(static_cast<int64_t>(value.AsList().size()));
    data = ir::MakeTensor(dtype, std::move(shape), ElementBytes(value, dtype));
  }
  // By the schema its attribute has one element, but a number of the spec is 0-d.
  if (op.name == "ConstantOfShape" && data->shape.empty()) {
    data = std::make_shared<ir::TensorData>(ir::TensorData{data->dtype, {1}, data->bytes});
  }
  return {std::move(data)};
}

ir::Arg ToArg(Emitter* emitter, const OpInfo& op, const AttributeInfo& info, const Val& value) {
  if (info.kind != AttributeKind::kTensor && !is_static(value)) RefuseUnknown(*emitter, op, info, value);
  const auto real = [](const Val& v) -> ir::Arg { return {v.AsFloat()}; };
  const auto text = [](const Val& v) -> ir::Arg { return {v.AsText()}; };
  switch (info.kind) {
    case AttributeKind::kInt:
      return IntArg(value);
    case AttributeKind::kFloat:
      return real(value);
    case AttributeKind::kString:
      return text(value);
    case AttributeKind::kInts:
      return ListArg(value, IntArg);
    case AttributeKind::kFloats:
      return ListArg(value, real);
    case AttributeKind::kStrings:
      return ListArg(value, text);
    case AttributeKind::kTensor:
      return TensorArg(emitter, op, info, value);
    case AttributeKind::kOther:
      break;
  }
  throw Refusal(fmt::format("attribute {} of ONNX {} is of a kind that specs do not write", info.name, op.name));
}

}  // namespace

std::vector<ir::Attribute> ToAttributes(Emitter* emitter, const OpInfo& op, const NamedArgs& named) {
  std::vector<ir::Attribute> out;
  for (const Named& arg : named) {
    if (!arg.value.is_none()) out.push_back({arg.name, ToArg(emitter, op, *op.FindAttribute(arg.name), arg.value)});
  }
  // By name, for any order in the spec. Equal nodes are then identical, and merge-duplicates finds them.
  std::ranges::sort(out, {}, &ir::Attribute::name);
  for (const AttributeInfo& info : op.attributes) {
    if (info.required && std::ranges::find(out, info.name, &ir::Attribute::name) == out.end()) {
      throw Refusal(fmt::format("ONNX {} of opset {} needs its attribute {}", op.name, emitter->opset(), info.name));
    }
  }
  return out;
}

}  // namespace onnxport::lowering
