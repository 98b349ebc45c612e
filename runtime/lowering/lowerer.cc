#include "runtime/lowering/lowerer.h"

#include <fmt/format.h>

#include <utility>

#include "runtime/ir/location.h"
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
  if (value.kind != ValueKind::kTensor && value.kind != ValueKind::kSequence) {
    value.dims = ir::Dims{};
    value.kind = ValueKind::kTensor;
  }
  return value;
}

void Lowerer::State::BindCopy(ValueId id, ValueId copy) {
  const ValueKind kind = source.value(id).kind;
  if (kind != ValueKind::kTensor && kind != ValueKind::kSequence) {
    emitter.MarkNumber(copy);
    emitter.sizes().Remember(copy);
  }
  bindings.Bind(id, Tensor{&emitter, copy});
}

ValueId Lowerer::State::Copy(ValueId id) {
  const ValueId copy = graph.AddValue(AsTensorType(source.value(id)));
  BindCopy(id, copy);
  return copy;
}

void Lowerer::State::RemarkAssumptions(const ir::Node& node) {
  for (const ir::Dim& size : emitter.TakeAssumptions()) {
    std::string symbols;
    for (const std::string& symbol : size.symbols()) symbols += (symbols.empty() ? "`" : ", `") + symbol + "`";
    const ir::Location& location = source.location(node.location);
    const std::string where = location.file.empty() ? "" : fmt::format(" ({}:{})", location.file, location.line);
    remarks.push_back(fmt::format("{}{} is exported for sizes other than 1 of {}", node.op, where, symbols));
  }
}

ValueId Lowerer::State::AddSource(ir::Value value, ValueId made, std::string name) {
  value.name = name.empty() ? fmt::format("%{}", source.values.size()) : std::move(name);
  value.strides.reset();
  const ValueId id = source.AddValue(std::move(value));
  bindings.Bind(id, Tensor{&emitter, made});
  return id;
}

Vals Lowerer::State::Lower(const ir::Node& call, Vals args, const ir::StatedTypes* stated) {
  const auto target = TargetOf(custom, call.op);
  if (!target) return LowerCall(&emitter, call.op, std::move(args));
  std::string remark;
  Vals made = LowerToCustomNode(&emitter, *target, call, args, stated, &remark);
  remarks.push_back(std::move(remark));
  return made;
}

Lowerer::Lowerer(ir::Graph* source, int opset, FreeSizes free_sizes, Options options)
    : state_(new State(source, opset, free_sizes, std::move(options))) {}
Lowerer::~Lowerer() = default;

void Lowerer::AddInput(const ir::Port& port) {
  const ValueId* id = port.value.value();
  if (!id) return;
  for (const ir::Dim& dim : state_->source.value(*id).dims.value_or(ir::Dims())) {
    for (const std::string& symbol : dim.symbols()) {
      const auto found = state_->source.ranges.find(symbol);
      if (found != state_->source.ranges.end()) state_->graph.ranges.insert_or_assign(symbol, found->second);
    }
  }
  const bool complex = ir::IsComplex(state_->source.value(*id).dtype) && state_->emitter.opset() >= ir::kComplexOpset;
  const ValueId input = complex ? state_->AddComplexInput(*id) : state_->Copy(*id);
  state_->graph.inputs.push_back({port.name, {input}});
  state_->graph.body.inputs.push_back(input);
  state_->emitter.sizes().AddInput(input);
}

// Its parts are the model's input.
ValueId Lowerer::State::AddComplexInput(ValueId id) {
  ir::Value type = AsTensorType(source.value(id));
  type.dtype = PartDType(type.dtype);
  if (type.dims) type.dims->push_back(ir::Dim(2));
  type.strides.reset();
  const ValueId parts = graph.AddValue(std::move(type));
  BindCopy(id, emitter.AsComplex(parts));
  return parts;
}

// The bytes are the same: real and imaginary part in turn.
void Lowerer::State::AddComplexWeight(const ir::Weight& weight) {
  auto data = std::make_shared<ir::TensorData>(*weight.data);
  data->dtype = PartDType(data->dtype);
  data->shape.push_back(2);
  ir::Value type = source.value(weight.value);
  type.dtype = data->dtype;
  type.dims = ir::Dims(data->shape.begin(), data->shape.end());
  const ValueId parts = graph.AddValue(std::move(type));
  graph.weights.push_back({parts, weight.name, data});
  emitter.SetData(parts, data);
  BindCopy(weight.value, emitter.AsComplex(parts));
}

void Lowerer::AddWeight(const ir::Weight& weight) {
  // What has no elements is nothing that a pass could look at: an input, until it is known what becomes of it.
  if (weight.data->bytes->absent()) return AddInput({weight.name, {weight.value}});
  const bool complex = ir::IsComplex(state_->source.value(weight.value).dtype);
  if (complex && state_->emitter.opset() >= ir::kComplexOpset) return state_->AddComplexWeight(weight);
  const ValueId copy = state_->Copy(weight.value);
  state_->graph.weights.push_back({copy, weight.name, weight.data});
  state_->emitter.SetData(copy, weight.data);
  state_->emitter.ReadContents(copy);
}

std::optional<std::string> Lowerer::AddOutput(const ir::Port& port) {
  State& state = *state_;
  state.emitter.set_location(ir::LocationId::kNone);
  try {
    const Val value = state.bindings.ToVal(port.value);
    if (!value.is_tensor() && !value.is_number()) {
      throw Refusal(fmt::format("{} is no tensor and no number", value.ToString()));
    }
    // A float of a program that runs is a double, as it would be were it computed.
    ValueId id = value.is_tensor()
                     ? value.AsTensor().id
                     : state.emitter.Constant(value, value.is_float() ? DType::kFloat64 : DefaultDType(value));
    if (ir::IsComplex(state.emitter.value(id).dtype)) id = state.emitter.PartsOf(id);
    // An output that is an input, too, becomes an Identity (passes/separate_outputs).
    const DType dtype = state.emitter.value(id).dtype;
    if (value.is_tensor() && !state.emitter.Op("Identity").variables.at(0).allowed.Has(dtype)) {
      throw Refusal(
          fmt::format("ONNX of opset {} has no operator that gives {}", state.emitter.opset(), ir::Name(dtype)));
    }
    state.graph.outputs.push_back({port.name, {id}});
    state.graph.body.outputs.push_back({id});
    return std::nullopt;
  } catch (const Refusal& refusal) {
    return fmt::format("output `{}`: {}", port.name, refusal.what());
  }
}

std::optional<std::string> Lowerer::Call(ir::Node* node, const ir::StatedTypes* stated, std::vector<ir::Arg>* results) {
  State& state = *state_;
  state.emitter.set_location(node->location);
  try {
    std::optional<Vals> made = stated != nullptr ? KnownSizes(&state.emitter, *stated) : std::nullopt;
    if (!made) {
      Vals args;
      for (const ir::Arg& arg : node->inputs) args.push_back(state.bindings.ToVal(arg));
      // A file that states the type means a number of the run.
      const bool may_be_known = stated == nullptr && GivesANumber(*node);
      const auto item = may_be_known ? KnownItem(state.emitter, args) : std::nullopt;
      made = item ? Vals{*item} : state.Lower(*node, std::move(args), stated);
      state.RemarkAssumptions(*node);
    }
    *results = Results(&state, node, stated).Publish(*made);
    return std::nullopt;
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
}

void Lowerer::SetLocation(ir::LocationId location) { state_->emitter.set_location(location); }

std::optional<std::string> Lowerer::WhyNever(const ir::Operator& op) const {
  return IsCustomNode(op) ? std::nullopt : lowering::WhyNever(op, state_->emitter.opset());
}

bool Lowerer::IsCustomNode(const ir::Operator& op) const { return TargetOf(state_->custom, op).has_value(); }

bool Lowerer::contradicted() const { return state_->contradicted; }

ValueId Lowerer::StandIn(const ir::Value& type) {
  const ValueId made = state_->graph.AddValue(State::AsTensorType(type));
  const ValueId id = state_->AddSource(type, made, type.name);
  state_->BindCopy(id, made);
  return id;
}

void Lowerer::Refine(ValueId value, const ir::Value& stated) {
  const ValueId made = state_->bindings.ToVal({value}).AsTensor().id;
  ir::Value dims;
  dims.dims = stated.dims;
  state_->emitter.Refine(made, dims);
  state_->source.value(value).dims = state_->emitter.value(made).dims;
}

void Lowerer::BeginBlock() { state_->emitter.BeginBlock(); }

void Lowerer::AddBlockInput(ValueId input) {
  state_->BindCopy(input, state_->emitter.AddBlockInput(State::AsTensorType(state_->source.value(input))));
}

ir::Block Lowerer::EndBlock() { return state_->emitter.EndBlock(); }

void Lowerer::Append(ir::Block* block, const std::function<void()>& make) { state_->emitter.Append(block, make); }

std::vector<std::string> Lowerer::TakeRemarks() { return std::exchange(state_->remarks, {}); }

ir::Graph Lowerer::TakeGraph() {
  state_->graph.ranges = state_->source.ranges;
  state_->graph.locations = state_->source.locations;
  for (const auto& [domain, version] : state_->custom.versions) state_->graph.domains[domain] = version;
  return std::move(state_->graph);
}

}  // namespace onnxport::lowering
