// torch.onnx.ops.symbolic: a node that the program itself describes.
#include <fmt/format.h>

#include <utility>

#include "runtime/lowering/build/tensor.h"
#include "runtime/lowering/dsl/custom_node.h"
#include "runtime/lowering/dsl/hooks.h"

namespace onnxport::lowering::hooks {
namespace {

// Positions in the schemas of both.
enum Position : size_t {
  kInputs,
  kOpType,
  kDTypes,
  kShapes,
  kKeys,
  kTypes,
  kPlaces,
  kInts,
  kFloats,
  kTexts,
  kMetadataKeys,
  kMetadataValues,
  kDomain,
  kVersion,
};

// An attribute is a range of the list of its kind: "i", "f", "s", or "is", "fs", "ss" for a list.
Val Attribute(Context& context, const std::string& type, const Val& place) {
  const Position from = type.starts_with('i') ? kInts : type.starts_with('f') ? kFloats : kTexts;
  const Val values = context.arg(from);
  if (type.size() == 2) return values.Slice(place[0], place[1]);
  return values[place[0]];
}

ir::Value TypeOf(const Val& dtype, const Val& shape) {
  ir::Value type;
  type.dtype = ir::DTypeOfNumber(dtype.AsInt());
  if (shape.is_none()) return type;
  type.dims.emplace();
  for (const Val& size : shape.AsList()) type.dims->push_back(SizeOf(size).value_or(ir::Dim()));
  return type;
}

CustomNode NodeOf(Context& context) {
  CustomNode node;
  const std::string type = context.arg(kOpType).AsText();
  const std::string domain = context.arg(kDomain).AsText();
  if (type.empty() || type.find('.') != std::string::npos) {
    throw Refusal(fmt::format("'{}' is no name of an ONNX operator", type));
  }
  node.op = domain.empty() ? type : fmt::format("{}.{}", domain, type);
  if (!context.arg(kVersion).is_none()) node.version = static_cast<int>(context.arg(kVersion).AsInt());
  node.inputs = context.arg(kInputs).AsList();
  const Vals keys = context.arg(kKeys).AsList();
  for (size_t i = 0; i < keys.size(); ++i) {
    const Val at(static_cast<int64_t>(i));
    node.attributes.emplace_back(keys[i].AsText(),
                                 Attribute(context, context.arg(kTypes)[at].AsText(), context.arg(kPlaces)[at]));
  }
  return node;
}

}  // namespace

Vals symbolic(Context& context) {
  CustomNode node = NodeOf(context);
  node.results = {TypeOf(context.arg(kDTypes), context.arg(kShapes))};
  return EmitCustomNode(&context, node);
}

Vals symbolic_multi_out(Context& context) {
  CustomNode node = NodeOf(context);
  const Vals dtypes = context.arg(kDTypes).AsList();
  for (size_t i = 0; i < dtypes.size(); ++i) {
    node.results.push_back(TypeOf(dtypes[i], context.arg(kShapes)[Val(static_cast<int64_t>(i))]));
  }
  return {EmitCustomNode(&context, node)};
}

}  // namespace onnxport::lowering::hooks
