#include "runtime/lowering/lowerer.h"

#include <fmt/format.h>

#include <utility>

#include "runtime/lowering/build/complex.h"
#include "runtime/lowering/build/constants.h"
#include "runtime/lowering/call.h"
#include "runtime/lowering/known_item.h"
#include "runtime/lowering/lowerer_state.h"
#include "runtime/lowering/results.h"

namespace onnxport::lowering {

using ir::DType;
using ir::ValueId;
using ir::ValueKind;

ir::Value Lowerer::State::AsTensorType(ir::Value value) {
  value.strides.reset();
  if (value.kind == ValueKind::kInt) value.dtype = DType::kInt64;
  if (value.kind == ValueKind::kFloat) value.dtype = DType::kFloat64;
  if (value.kind == ValueKind::kBool) value.dtype = DType::kBool;
  if (!ir::HoldsTensors(value.kind)) {
    value.dims = ir::Dims{};
    value.kind = ValueKind::kTensor;
  }
  return value;
}

void Lowerer::State::Bind(ValueId id, ValueKind kind, ValueId made) {
  if (!ir::HoldsTensors(kind)) {
    emitter.facts().MarkNumber(made);
    emitter.sizes().Remember(made);
  }
  bindings.Bind(id, Tensor{&emitter, made});
}

ValueId Lowerer::State::Copy(ValueId id, const ir::Value& type) {
  const ValueId copy = graph.AddValue(AsTensorType(type));
  Bind(id, type.kind, copy);
  return copy;
}

Vals Lowerer::State::Lower(const ir::Node& call, Vals args, const ir::StatedTypes* stated, std::string* remark) {
  const auto target = TargetOf(custom, call.op);
  if (!target) return LowerCall(&emitter, call.op, std::move(args));
  return LowerToCustomNode(&emitter, *target, call, args, stated, remark);
}

Lowerer::Lowerer(int opset, FreeSizes free_sizes, ir::Ranges ranges, Options options)
    : state_(new State(opset, free_sizes, std::move(ranges), std::move(options))) {}
Lowerer::~Lowerer() = default;

void Lowerer::AddInput(const std::string& name, ValueId id, const ir::Value& type, const ir::Ranges& ranges) {
  for (const ir::Dim& dim : type.dims.value_or(ir::Dims())) {
    for (const std::string& symbol : dim.symbols()) {
      const auto found = ranges.find(symbol);
      if (found != ranges.end()) state_->graph.ranges.insert_or_assign(symbol, found->second);
    }
  }
  state_->AddInput(name, id, type, state_->own_inputs++);
}

void Lowerer::State::AddInput(const std::string& name, ValueId id, const ir::Value& type, size_t position) {
  const bool complex = ir::IsComplex(type.dtype) && emitter.opset() >= ir::kComplexOpset;
  const ValueId input = complex ? AddComplexInput(id, type) : Copy(id, type);
  const auto at = static_cast<std::ptrdiff_t>(position);
  graph.inputs.insert(graph.inputs.begin() + at, {name, {input}});
  graph.body.inputs.insert(graph.body.inputs.begin() + at, input);
  emitter.sizes().AddInput(input);
}

// Its parts are the model's input.
ValueId Lowerer::State::AddComplexInput(ValueId id, const ir::Value& type) {
  ir::Value of_parts = AsTensorType(type);
  of_parts.dtype = PartDType(of_parts.dtype);
  if (of_parts.dims) of_parts.dims->push_back(ir::Dim(2));
  const ValueId parts = graph.AddValue(std::move(of_parts));
  Bind(id, type.kind, emitter.AsComplex(parts));
  return parts;
}

// The bytes are unchanged: real and imaginary parts alternate.
void Lowerer::State::AddComplexWeight(const ir::Weight& weight, const ir::Value& type) {
  auto data = std::make_shared<ir::TensorData>(*weight.data);
  data->dtype = PartDType(data->dtype);
  data->shape.push_back(2);
  ir::Value of_parts = type;
  of_parts.dtype = data->dtype;
  of_parts.dims = ir::Dims(data->shape.begin(), data->shape.end());
  const ValueId parts = graph.AddValue(std::move(of_parts));
  graph.weights.push_back({parts, weight.name, data});
  emitter.facts().SetData(parts, data);
  Bind(weight.value, type.kind, emitter.AsComplex(parts));
}

void Lowerer::AddWeight(const ir::Weight& weight, const ir::Value& type) {
  // A weight without elements cannot be read by passes. It is an input until its elements are known.
  if (weight.data->bytes->absent()) {
    return state_->AddInput(weight.name, weight.value, type, state_->graph.inputs.size());
  }
  if (ir::IsComplex(type.dtype) && state_->emitter.opset() >= ir::kComplexOpset) {
    return state_->AddComplexWeight(weight, type);
  }
  const ValueId copy = state_->Copy(weight.value, type);
  state_->graph.weights.push_back({copy, weight.name, weight.data});
  state_->emitter.facts().SetData(copy, weight.data);
  state_->emitter.facts().ReadContents(copy);
}

std::optional<Reason> Lowerer::AddOutput(const ir::Port& port) {
  State& state = *state_;
  state.emitter.set_location(ir::LocationId::kNone);
  try {
    const Val value = state.bindings.ToVal(port.value);
    if (!value.is_tensor() && !value.is_number()) {
      throw Refusal(Code::kBadOutput, fmt::format("{} is no tensor and no number", value.ToString()));
    }
    // A Python float is a double, as it would be if it were computed.
    ValueId id = value.is_tensor()
                     ? value.AsTensor().id
                     : state.emitter.Constant(value, value.is_float() ? DType::kFloat64 : DefaultDType(value));
    if (ir::IsComplex(state.emitter.value(id).dtype)) id = state.emitter.PartsOf(id);
    // An output that is also an input gets an Identity (passes/separate_outputs).
    const DType dtype = state.emitter.value(id).dtype;
    if (value.is_tensor() && !state.emitter.Op("Identity").variables.at(0).allowed.Has(dtype)) {
      throw Refusal(Code::kNotAtThisOpset, fmt::format("ONNX of opset {} has no operator that gives {}",
                                                       state.emitter.opset(), ir::Name(dtype)));
    }
    state.graph.outputs.push_back({port.name, {id}});
    state.graph.body.outputs.push_back({id});
    return std::nullopt;
  } catch (const Refusal& refusal) {
    return refusal.Of(fmt::format("output `{}`", port.name)).reason();
  }
}

std::optional<Reason> Lowerer::Call(const ir::Node& call, const ir::StatedTypes* stated, ValueId first, Made* made) {
  State& state = *state_;
  state.emitter.set_location(call.location);
  try {
    std::optional<Vals> given = stated != nullptr ? KnownSizes(&state.emitter, *stated) : std::nullopt;
    if (!given) {
      Vals args;
      args.reserve(call.inputs.size());
      for (const ir::Arg& arg : call.inputs) args.push_back(state.bindings.ToVal(arg));
      // If the file states a type, the number is known only at run time.
      const bool may_be_known = stated == nullptr && GivesANumber(call);
      const auto item = may_be_known ? KnownItem(state.emitter, args) : std::nullopt;
      given = item ? Vals{*item} : state.Lower(call, std::move(args), stated, &made->remark);
      made->assumed = state.emitter.assumptions().Take();
    }
    Results(&state, call.op, stated).Publish(*given, first, made);
    return std::nullopt;
  } catch (const Refusal& refusal) {
    state.emitter.assumptions().Take();
    return refusal.reason();
  }
}

std::optional<Reason> Lowerer::WhyNever(const ir::Operator& op) const {
  return IsCustomNode(op) ? std::nullopt : lowering::WhyNever(op, state_->emitter.opset());
}

bool Lowerer::IsCustomNode(const ir::Operator& op) const { return TargetOf(state_->custom, op).has_value(); }

bool Lowerer::contradicted() const { return state_->contradicted; }

void Lowerer::AddStandIn(ValueId id, const ir::Value& type) { state_->Copy(id, type); }

std::optional<ir::Dims> Lowerer::Refine(ValueId id, const ir::Dims& dims) {
  const ValueId made = state_->MadeOf(id);
  ir::Value stated;
  stated.dims = dims;
  state_->emitter.Refine(made, stated);
  return state_->emitter.value(made).dims;
}

void Lowerer::BeginBlock() { state_->emitter.blocks().Begin(); }

void Lowerer::AddBlockInput(ValueId id, const ir::Value& type) {
  state_->Bind(id, type.kind, state_->emitter.blocks().AddInput(State::AsTensorType(type)));
}

ir::Block Lowerer::EndBlock() { return state_->emitter.blocks().End(); }

void Lowerer::Append(ir::Block* block, const std::function<void()>& make) {
  state_->emitter.blocks().Append(block, make);
}

ir::Graph Lowerer::TakeGraph() {
  for (const auto& [domain, version] : state_->custom.versions) state_->graph.domains[domain] = version;
  return std::move(state_->graph);
}

}  // namespace onnxport::lowering
