#include "runtime/lowering/dsl/custom_node.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/lowering/build/emitter.h"
#include "runtime/lowering/build/tensor.h"
#include "runtime/lowering/dsl/placement.h"

namespace onnxport::lowering {
namespace {

bool IsOnnxs(const std::string& op) { return op.find('.') == std::string::npos; }

// ONNX's own operator has its meaning in the version that the program states.
void CheckVersion(Emitter* emitter, const CustomNode& node) {
  const OpInfo& info = emitter->Op(node.op);
  if (node.version == 0 || !IsOnnxs(node.op) || OpCatalog(node.version).Find(node.op) == &info) return;
  throw Refusal(
      Code::kCustomNodeDoesNotFit,
      fmt::format("the program means ONNX {} of opset {}, which is another operator at opset {}; export to {}", node.op,
                  node.version, emitter->opset(), node.version));
}

Vals EmitKnown(Context* context, const CustomNode& node) {
  Emitter& emitter = context->emitter();
  CheckVersion(&emitter, node);
  Inputs inputs(node.inputs.begin(), node.inputs.end());
  NamedArgs named;
  for (const auto& [name, value] : node.attributes) named.push_back({name.c_str(), value});
  const OpInfo& info = emitter.Op(node.op);
  for (const Named& attribute : named) {
    if (info.FindAttribute(attribute.name) == nullptr) {
      throw Refusal(Code::kCustomNodeDoesNotFit, fmt::format("ONNX {} has no attribute {}", node.op, attribute.name));
    }
  }
  Vals results;
  const auto made = EmitPlaced(&emitter, node.op, inputs, named, node.results.size());
  for (size_t i = 0; i < made.size(); ++i) {
    const DType dtype = emitter.value(made[i]).dtype;
    // The stated dtype may add to inference, but not contradict it.
    const DType stated = node.results[i].dtype;
    if (stated != DType::kUndefined && stated != dtype) {
      throw Refusal(Code::kCustomNodeDoesNotFit, fmt::format("result {} of ONNX {} is {}, where the program says {}", i,
                                                             node.op, ir::Name(dtype), ir::Name(stated)));
    }
    emitter.Refine(made[i], node.results[i]);
    results.push_back(Tensor{&emitter, made[i]});
  }
  return results;
}

ir::Arg AttributeValue(const CustomNode& node, const std::string& name, const Val& value) {
  if (value.is_bool()) return {static_cast<int64_t>(value.AsBool())};
  if (value.is_int()) return {value.AsInt()};
  if (value.is_float()) return {value.AsFloat()};
  if (value.is_text()) return {value.AsText()};
  if (value.is_dtype()) return {static_cast<int64_t>(value.AsDType())};
  if (value.is_list()) {
    ir::ArgList list;
    for (const Val& element : value.AsList()) {
      if (element.is_list() || element.is_none()) break;
      list.push_back(AttributeValue(node, name, element));
    }
    const auto is_text = [](const ir::Arg& arg) { return std::holds_alternative<std::string>(arg.v); };
    const bool all = list.size() == value.AsList().size();
    if (all && (std::ranges::all_of(list, is_text) || std::ranges::none_of(list, is_text))) return {std::move(list)};
  }
  throw Refusal(
      Code::kCustomNodeDoesNotFit,
      fmt::format("`{}` is {}, which an attribute of the node {} cannot hold: it takes numbers and texts that "
                  "are known before the model runs, and lists of them",
                  name, value.ToString(), node.op));
}

std::vector<ir::Attribute> AttributesOf(const CustomNode& node) {
  std::vector<ir::Attribute> attributes;
  for (const auto& [name, value] : node.attributes) {
    // The element type of an empty list is unknown.
    const bool empty = value.is_list() && value.AsList().empty();
    if (!value.is_none() && !empty) attributes.push_back({name, AttributeValue(node, name, value)});
  }
  std::ranges::sort(attributes, {}, &ir::Attribute::name);
  const auto twice = std::ranges::adjacent_find(attributes, {}, &ir::Attribute::name);
  if (twice != attributes.end()) {
    throw Refusal(Code::kCustomNodeDoesNotFit,
                  fmt::format("the node {} has its attribute {} twice", node.op, twice->name));
  }
  return attributes;
}

std::vector<ir::Arg> InputsOf(const Emitter& emitter, const CustomNode& node) {
  std::vector<ir::Arg> inputs;
  for (const Val& input : node.inputs) {
    if (input.is_none()) {
      inputs.emplace_back();
      continue;
    }
    const ir::ValueId id = input.AsTensor().id;
    if (ir::IsComplex(emitter.value(id).dtype)) {
      throw Refusal(Code::kCustomNodeDoesNotFit,
                    fmt::format("an input of the node {} is complex; ONNX has no operators on such tensors", node.op));
    }
    inputs.push_back({id});
  }
  while (!inputs.empty() && inputs.back().is_none()) inputs.pop_back();
  return inputs;
}

}  // namespace

Vals EmitCustomNode(Context* context, const CustomNode& node) {
  Emitter& emitter = context->emitter();
  // A node with a schema is checked and typed like those of specs, whatever the program states about its results.
  if (emitter.HasSchema(node.op)) return EmitKnown(context, node);
  if (IsOnnxs(node.op)) emitter.Op(node.op);  // throws an error that there is none
  for (const ir::Value& result : node.results) {
    if (result.dtype == DType::kUndefined || ir::IsComplex(result.dtype)) {
      throw Refusal(Code::kCustomNodeDoesNotFit,
                    fmt::format("of what dtype the results of the node {} are is not known", node.op));
    }
  }
  Vals results;
  for (const ir::ValueId id :
       emitter.AddCustom(node.op, node.version, InputsOf(emitter, node), AttributesOf(node), node.results)) {
    results.push_back(Tensor{&emitter, id});
  }
  return results;
}

}  // namespace onnxport::lowering
