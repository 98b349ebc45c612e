#include "runtime/lowering/build/complex.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "runtime/lowering/build/complex_node.h"
#include "runtime/lowering/build/sizes.h"
#include "runtime/onnx/op_facts.h"

namespace onnxport::lowering {
namespace {

using ir::Arg;
using ir::Attribute;
using ir::DType;
using ir::ValueId;

std::vector<ValueId> ToShape(ComplexNode& node, int64_t last) {
  node.Extend(1, last);
  return node.OnParts();
}

std::vector<ValueId> Permute(ComplexNode& node) {
  ir::ArgList order;
  if (const Attribute* perm = node.Find("perm")) {
    order = *perm->value.list();
  } else {
    for (int64_t axis = node.Rank() - 1; axis >= 0; --axis) order.push_back({axis});
  }
  order.push_back({node.Rank()});
  node.attributes = {{"perm", {std::move(order)}}};
  return node.OnParts();
}

std::vector<ValueId> AlongAxis(ComplexNode& node) {
  node.CountAxis();
  return node.OnParts();
}

std::vector<ValueId> WithoutAxes(ComplexNode& node) {
  node.CountAxes(1, node.Rank());
  return node.OnParts();
}

std::vector<ValueId> SumOver(ComplexNode& node) {
  if (node.Has(1)) return WithoutAxes(node);
  std::vector<int64_t> axes;
  for (int64_t axis = 0; axis < node.Rank(); ++axis) axes.push_back(axis);
  if (axes.empty()) throw Refusal(Code::kNoComplexForm, "the sum of a complex number");
  node.inputs.resize(2);
  node.inputs[1] = {node.Ints(axes)};
  return node.OnParts();
}

std::vector<ValueId> WithNewAxes(ComplexNode& node) {
  node.CountAxes(1, node.Rank() + static_cast<int64_t>(node.Numbers(1).size()));
  return node.OnParts();
}

std::vector<ValueId> Cut(ComplexNode& node) {
  node.CountAxes(3, node.Rank());
  return node.OnParts();
}

std::vector<ValueId> Choose(ComplexNode& node) {
  node.inputs[0] = {node.Add("Unsqueeze", *node.inputs[0].value(), node.Ints({-1}))};
  return node.OnParts();
}

std::vector<ValueId> Shape(ComplexNode& node) {
  const auto bound = [&](std::string_view name, int64_t missing) {
    const Attribute* attribute = node.Find(name);
    const int64_t number = attribute ? std::get<int64_t>(attribute->value.v) : missing;
    return std::clamp(number < 0 ? number + node.Rank() : number, int64_t{0}, node.Rank());
  };
  const int64_t start = bound("start", 0);
  const int64_t end = bound("end", node.Rank());
  if (node.emitter.opset() >= kShapeSliceOpset) {
    return {node.emitter.Add("Shape", {{node.Parts(0)}}, {{"end", {end}}, {"start", {start}}})};
  }
  const ValueId shape = node.emitter.Add("Shape", {{node.Parts(0)}});
  return {node.emitter.Add("Slice", {{shape}, {node.Ints({start})}, {node.Ints({end})}})};
}

std::vector<ValueId> Emit(onnx_ops::ComplexForm form, ComplexNode& node) {
  using enum onnx_ops::ComplexForm;
  switch (form) {
    case kNone:
      throw Refusal(Code::kNoComplexForm, fmt::format("ONNX {} has no form for complex numbers here", node.op));
    case kSame:
      return node.OnParts();
    case kShape:
      return ToShape(node, ComplexNode::kParts);
    case kRepeats:
      return ToShape(node, 1);
    case kOrder:
      return Permute(node);
    case kAxis:
      return AlongAxis(node);
    case kAxes:
      return WithoutAxes(node);
    case kNewAxes:
      return WithNewAxes(node);
    case kReducedAxes:
      return SumOver(node);
    case kSlicedAxes:
      return Cut(node);
    case kCondition:
      return Choose(node);
    case kSizes:
      return Shape(node);
    case kProduct:
      return Multiply(node);
    case kQuotient:
      return Divide(node);
    case kMagnitude:
      return Magnitude(node);
    case kExponential:
      return Exponential(node);
  }
  return {};
}

}  // namespace

DType PartDType(DType complex) {
  if (complex == DType::kComplex64) return DType::kFloat32;
  return complex == DType::kComplex128 ? DType::kFloat64 : DType::kUndefined;
}

DType ComplexDType(DType part) {
  if (part == DType::kFloat32) return DType::kComplex64;
  return part == DType::kFloat64 ? DType::kComplex128 : DType::kUndefined;
}

ValueId CastToComplex(Emitter* emitter, ValueId id, DType complex) {
  const DType part = PartDType(complex);
  if (ir::IsComplex(emitter->value(id).dtype)) return emitter->AsComplex(emitter->Cast(emitter->PartsOf(id), part));
  const auto& dims = emitter->value(id).dims;
  if (!dims) throw Refusal(Code::kNoComplexForm, "a tensor of unknown rank cannot become complex");
  std::vector<int64_t> pads((dims->size() + 1) * 2, 0);
  pads.back() = 1;
  const auto ints = [&](const std::vector<int64_t>& n) {
    return emitter->Constant(Val(Vals(n.begin(), n.end())), DType::kInt64);
  };
  const ValueId real = emitter->Add("Unsqueeze", {{emitter->Cast(id, part)}, {ints({-1})}});
  return emitter->AsComplex(emitter->Add("Pad", {{real}, {ints(pads)}}));
}

std::vector<ValueId> AddComplexNode(Emitter* emitter, const std::string& op, std::vector<Arg> inputs,
                                    std::vector<Attribute> attributes, size_t outputs) {
  ComplexNode node{*emitter, op, std::move(inputs), std::move(attributes), outputs};
  return Emit(onnx_ops::Find(op).complex, node);
}

}  // namespace onnxport::lowering
