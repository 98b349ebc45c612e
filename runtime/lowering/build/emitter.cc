// A node is checked before it is added, and its result types are known afterwards. Dtype and sizes come from ONNX's own
// inference, corrected with the facts in the operator's row (runtime/onnx). The elements of small integer tensors are
// tracked one by one. So code after the emitter always finds the type of a value.
#include "runtime/lowering/build/emitter.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/interruption.h"
#include "runtime/lowering/build/complex.h"
#include "runtime/lowering/types/declared_types.h"
#include "runtime/onnx/contents.h"
#include "runtime/onnx/op_facts.h"
#include "runtime/onnx/size_check.h"
#include "runtime/onnx/sizes.h"
#include "runtime/onnx/window_check.h"

namespace onnxport::lowering {
namespace {

using ir::DType;
using ir::ValueId;

// If inference does not know the dtype, as for operators of users' domains, results have the dtype of inputs with the
// same type variable.
DType DTypeFromVariable(const ir::Graph& graph, const OpInfo& op, const ir::Node& node, size_t result) {
  const FormalParameter* output = op.output(result);
  if (!output) return DType::kUndefined;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const ValueId* id = node.inputs[i].value();
    if (id && op.input(i)->variable == output->variable) return graph.value(*id).dtype;
  }
  const ir::DTypeSet& allowed = op.VariableOf(*output).allowed;
  return allowed.single() ? allowed.first() : DType::kUndefined;
}

// For a number that is too large, PyTorch uses the largest float8e4m3fn, which is ONNX's default, and infinity or NaN
// for other float8 types.
std::vector<ir::Attribute> CastAttributes(DType dtype) {
  std::vector<ir::Attribute> attributes = {{"to", {static_cast<int64_t>(dtype)}}};
  const bool scale = dtype == DType::kFloat8E8M0;
  if (scale || dtype == DType::kFloat8E5M2 || dtype == DType::kFloat8E4M3FNUZ || dtype == DType::kFloat8E5M2FNUZ) {
    attributes.push_back({"saturate", {int64_t{0}}});
  }
  if (scale) attributes.push_back({"round_mode", {std::string("nearest")}});
  return attributes;
}

// Refuses a size that no memory could hold, because it cannot be meant.
void CheckCount(const OpInfo& op, const InferredType& type) {
  if (!type.dims) return;
  const ir::Dims& dims = *type.dims;
  if (std::ranges::find(dims, ir::Dim(0)) != dims.end()) return;
  int64_t bytes = std::max<int64_t>(ir::ByteSize(type.dtype), 1);
  for (const ir::Dim& dim : dims) {
    if (!dim.is_number()) continue;
    if (dim.number() < 0) throw Refusal(fmt::format("ONNX {} would give an axis of size {}", op.name, dim.number()));
    if (__builtin_mul_overflow(bytes, dim.number(), &bytes)) {
      throw Refusal(fmt::format("ONNX {} would give a tensor of more elements than can be counted", op.name));
    }
  }
}

// If an attribute states a dtype, inference accepts any.
void CheckResult(const OpInfo& op, int opset, size_t result, const InferredType& type) {
  const FormalParameter* output = op.output(result);
  if (!output || type.sequence) return;
  const ir::DTypeSet& allowed = op.VariableOf(*output).allowed;
  if (allowed.empty() || allowed.Has(type.dtype)) return;
  throw Refusal(Code::kDTypeIsNotTaken, fmt::format("ONNX {} of opset {} does not give {}; it gives {}", op.name, opset,
                                                    ir::Name(type.dtype), allowed.ToString()));
}

// For an operator of a user's domain, its schema says which sizes must be equal.
void CheckSizes(const OpInfo& op, const onnx_ops::OpFacts& facts, const onnx_ops::NodeView& node) {
  if (op.declared) return CheckDeclaredSizes(*op.declared, node.graph, node.node);
  onnx_ops::CheckSizes(facts, node);
}

}  // namespace

Emitter::Emitter(ir::Graph* graph, int opset, FreeSizes free_sizes, Choices choices)
    : graph_(*graph),
      catalog_(opset),
      assumptions_(free_sizes),
      choices_(std::move(choices)),
      inference_(graph),
      facts_(graph, &inference_),
      sizes_(this),
      blocks_(graph, &sizes_) {}

const OpInfo& Emitter::Op(std::string_view op) {
  const OpInfo* info = catalog_.Find(op);
  if (!info || info->deprecated)
    throw Refusal(Code::kNotAtThisOpset, fmt::format("opset {} has no operator {}", opset(), op));
  return *info;
}

std::vector<ValueId> Emitter::AddNode(const OpInfo& op, std::vector<ir::Arg> inputs,
                                      std::vector<ir::Attribute> attributes, size_t outputs) {
  Interruption::Check();
  const auto is_complex = [&](const ir::Arg& input) {
    return input.value() && ir::IsComplex(value(*input.value()).dtype);
  };
  // Complex operands first. ONNX's schemas do not have them, so several nodes on the parts are added instead, with this
  // function.
  if (std::ranges::any_of(inputs, is_complex)) {
    return AddComplexNode(this, op.name, std::move(inputs), std::move(attributes), outputs);
  }
  ir::Node node{.op = op.name,
                .inputs = std::move(inputs),
                .attributes = std::move(attributes),
                .outputs = ir::ValueIds(outputs),
                .blocks = {},
                .location = location_,
                .name = {}};
  blocks_.CheckOpen(node);
  const onnx_ops::OpFacts& facts = onnx_ops::Find(op.name);
  const onnx_ops::NodeView view = {graph_, node};
  // Before inference, which divides by strides and would compute a negative size for a window that does not fit.
  onnx_ops::CheckWindow(facts, view);
  if (facts.grammar != nullptr) facts.grammar(view);
  if (assumptions_.free_sizes() == FreeSizes::kAsStated) CheckSizes(op, facts, view);
  InferredTypes types = inference_.Infer(op, node);
  // After inference: ONNX does not know a computed size, though it often follows from sizes of the inputs.
  onnx_ops::RepairSizes(facts, view, &types);
  // All elements of a sequence that was empty are like the first one.
  if (op.name == "SequenceInsert" && empty_sequences_.contains(*node.inputs[0].value())) {
    types[0].dims = value(*node.inputs[1].value()).dims;
  }
  for (size_t i = 0; i < outputs; ++i) {
    if (types[i].dtype == DType::kUndefined) types[i].dtype = DTypeFromVariable(graph_, op, node, i);
    if (types[i].dtype == DType::kUndefined) {
      throw Refusal(
          Code::kTypeIsNotKnown,
          fmt::format("the type of result {} of ONNX {} is not known; the file of torch.export states it", i, op.name));
    }
    CheckResult(op, opset(), i, types[i]);
    CheckCount(op, types[i]);
    std::optional<ir::Dims> contents;
    // Last, because the contents depend on the final dtype and sizes.
    if (i == 0 && outputs == 1) contents = onnx_ops::PropagateContents(facts, view, types[0]);
    node.outputs[i] = blocks_.AddValue({.name = {},
                                        .kind = types[i].sequence ? ir::ValueKind::kSequence : ir::ValueKind::kTensor,
                                        .dtype = types[i].dtype,
                                        .dims = std::move(types[i].dims),
                                        .contents = std::move(contents),
                                        .strides = {}},
                                       blocks_.innermost());
  }
  if (op.name == "SequenceEmpty") empty_sequences_.insert(node.outputs[0]);
  std::vector<ValueId> results = node.outputs.ToVector();
  blocks_.AddNode(std::move(node));
  return results;
}

ValueId Emitter::Add(std::string_view op, std::vector<ir::Arg> inputs, std::vector<ir::Attribute> attributes) {
  return AddNode(Op(op), std::move(inputs), std::move(attributes))[0];
}

std::vector<ValueId> Emitter::AddTyped(ir::Node node, std::vector<ir::Value> types) {
  blocks_.CheckOpen(node);
  for (ir::Value& type : types) node.outputs.push_back(blocks_.AddValue(std::move(type), blocks_.innermost()));
  std::vector<ValueId> results = node.outputs.ToVector();
  blocks_.AddNode(std::move(node));
  return results;
}

std::vector<ValueId> Emitter::AddControl(std::string_view op, std::vector<ir::Arg> inputs,
                                         std::vector<ir::Block> blocks, std::vector<ir::Value> types) {
  const OpInfo& info = Op(op);
  for (size_t i = 0; i < types.size(); ++i) {
    if (ir::IsComplex(types[i].dtype)) {
      throw Refusal(
          Code::kNoComplexForm,
          fmt::format("a complex tensor leaves a block of ONNX {}; torch.view_as_real gives one that can", op));
    }
    const bool is_sequence = types[i].kind == ir::ValueKind::kSequence;
    CheckResult(info, opset(), i, {.dtype = types[i].dtype, .dims = {}, .sequence = is_sequence});
  }
  return AddTyped({.op = info.name,
                   .inputs = std::move(inputs),
                   .attributes = {},
                   .outputs = {},
                   .blocks = std::move(blocks),
                   .location = location_,
                   .name = {}},
                  std::move(types));
}

std::vector<ValueId> Emitter::AddCustom(const std::string& op, int version, std::vector<ir::Arg> inputs,
                                        std::vector<ir::Attribute> attributes, std::vector<ir::Value> types) {
  Interruption::Check();
  if (version != 0) {
    int& imported = graph_.domains[op.substr(0, op.rfind('.'))];
    imported = std::max(imported, version);
  }
  return AddTyped({.op = op,
                   .inputs = std::move(inputs),
                   .attributes = std::move(attributes),
                   .outputs = {},
                   .blocks = {},
                   .location = location_,
                   .name = {}},
                  std::move(types));
}

ValueId Emitter::AsComplex(ValueId parts) {
  if (opset() < ir::kComplexOpset)
    throw Refusal(Code::kNoComplexForm, fmt::format("complex numbers below opset {}", ir::kComplexOpset));
  ir::Value type = value(parts);
  const DType dtype = ComplexDType(type.dtype);
  if (dtype == DType::kUndefined || !type.dims || type.dims->empty() || !(type.dims->back() == ir::Dim(2))) {
    throw Refusal(Code::kNoComplexForm, "parts of complex numbers are float32 or float64, with a last axis of 2");
  }
  type.dtype = dtype;
  type.dims->pop_back();
  const ValueId id = blocks_.AddValue(std::move(type), blocks_.BlockOf(parts));
  parts_[id] = parts;
  return id;
}

ValueId Emitter::PartsOf(ValueId complex) const {
  const auto found = parts_.find(complex);
  if (opset() < ir::kComplexOpset)
    throw Refusal(Code::kNoComplexForm, fmt::format("complex numbers below opset {}", ir::kComplexOpset));
  if (found == parts_.end()) throw Refusal(Code::kNoComplexForm, "no complex tensor that this model computes");
  return found->second;
}

ValueId Emitter::Cast(ValueId id, DType dtype) {
  if (value(id).dtype == dtype) return id;
  if (ir::IsComplex(dtype)) return CastToComplex(this, id, dtype);
  if (ir::IsComplex(value(id).dtype)) {
    throw Refusal(Code::kNoComplexForm,
                  fmt::format("a complex tensor becomes {}: torch.real gives its real part", ir::Name(dtype)));
  }
  if (value(id).kind == ir::ValueKind::kSequence) {
    throw Refusal(fmt::format("a list of {} tensors of unknown length, where {} ones are needed",
                              ir::Name(value(id).dtype), ir::Name(dtype)));
  }
  const OpInfo& op = Op("Cast");
  for (const auto& [allowed, seen] :
       {std::pair(&op.variables[0].allowed, value(id).dtype), std::pair(&op.variables[1].allowed, dtype)}) {
    if (!allowed->Has(seen)) {
      throw Refusal(Code::kDTypeIsNotTaken,
                    fmt::format("ONNX Cast of opset {} does not know {}", opset(), ir::Name(seen)));
    }
  }
  return AddNode(op, {{id}}, CastAttributes(dtype))[0];
}

void Emitter::Refine(ValueId id, const ir::Value& stated) {
  ir::Value& value = graph_.value(id);
  if (stated.dims && !value.dims) value.dims = ir::Dims(stated.dims->size());
  if (stated.dims && stated.dims->size() == value.dims->size()) {
    for (size_t i = 0; i < stated.dims->size(); ++i) {
      const ir::Dim& dim = (*stated.dims)[i];
      if (!dim.is_unknown() && !(*value.dims)[i].is_number()) (*value.dims)[i] = dim;
    }
  }
  if (stated.contents && !value.contents) value.contents = stated.contents;
  for (size_t i = 0; stated.contents && i < std::min(stated.contents->size(), value.contents->size()); ++i) {
    if ((*value.contents)[i].is_unknown()) (*value.contents)[i] = (*stated.contents)[i];
  }
  // Earlier inference knew less about the value.
  inference_.Forget(id);
  if (const auto parts = parts_.find(id); parts != parts_.end() && value.dims) {
    ir::Dims dims = *value.dims;
    dims.push_back(ir::Dim(2));
    ir::Value of_parts;
    of_parts.dims = std::move(dims);
    Refine(parts->second, of_parts);
  }
}

}  // namespace onnxport::lowering
