#include "runtime/trace/tracer.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/ir/complex_number.h"
#include "runtime/trace/empty_side.h"
#include "runtime/trace/state.h"
#include "runtime/trace/state_remarks.h"

namespace onnxport::trace {

using ir::Arg;
using ir::DType;
using ir::ValueId;

namespace {

// Returns the dtype of a complex number among `args`, as a tensor. Only the number's kind counts, not its precision.
// Beside float32 it is complex64, unless the call asks for float64 or complex128, as full(..., dtype=complex128) does.
DType ComplexDType(const Tracer& tracer, const std::vector<Arg>& args) {
  const auto is_double = [&](const Arg& arg) {
    DType dtype = DType::kUndefined;
    if (arg.value() != nullptr) dtype = tracer.TypeOf(*arg.value()).dtype;
    if (const DType* stated = std::get_if<DType>(&arg.v)) dtype = *stated;
    return dtype == DType::kFloat64 || dtype == DType::kComplex128;
  };
  return std::ranges::any_of(args, is_double) ? DType::kComplex128 : DType::kComplex64;
}

ir::Value TypeOfWeight(const ir::TensorData& data) {
  ir::Value type;
  type.dtype = data.dtype;
  type.dims = ir::Dims(data.shape.begin(), data.shape.end());
  return type;
}

}  // namespace

Tracer::Tracer(int opset, lowering::FreeSizes free_sizes, ir::Ranges ranges, lowering::Options options,
               ProgramState program_state)
    : state_(new State(opset, free_sizes, std::move(ranges), std::move(options), std::move(program_state))) {}
Tracer::~Tracer() = default;

record::Places& Tracer::places() { return state_->places; }
Regions& Tracer::regions() { return state_->regions; }
KeptState& Tracer::kept_state() { return state_->kept_state; }
record::Findings& Tracer::findings() { return state_->findings; }
const record::Findings& Tracer::findings() const { return state_->findings; }

// ---- the ends of the graph

ValueId Tracer::AddInput(const std::string& name, ir::Value type) {
  State& state = *state_;
  const bool row_major = type.kind == ir::ValueKind::kTensor && !type.strides;
  const ValueId id = state.recorder.AddInput(name, std::move(type));
  if (row_major) state.layouts.SetRowMajor(id);
  state.kept_state.Add({.name = name, .id = id, .input = true});
  if (!state.program_state.kept) state.functionalizer.RemarkOnWrite(id, InputRemark(name));
  return id;
}

void Tracer::NoteTracedSize(const std::string& symbol, int64_t size) { state_->traced_sizes.try_emplace(symbol, size); }

void Tracer::StateStrides(ValueId tensor, const ir::Dims& strides) {
  state_->layouts.State(state_->aliases.NameOf(tensor), strides);
}

ValueId Tracer::AddWeight(const std::string& name, std::shared_ptr<const ir::TensorData> data, WeightFacts facts) {
  State& state = *state_;
  const auto known = state.weights.find(data.get());
  if (known != state.weights.end()) return known->second;
  const ir::TensorData& kept = *data;  // kept by the graph or here: weights are known by their addresses
  const bool input = !facts.made_anew && state.program_state.inputs.contains(name);
  if (input) state.input_data.push_back(data);
  const ValueId id =
      input ? state.recorder.AddInput(name, TypeOfWeight(kept)) : state.recorder.AddWeight(name, std::move(data));
  state.weights[&kept] = id;
  state.weight_ids.insert(id);
  if (!facts.made_anew) state.kept_state.Add({.name = name, .id = id, .input = input, .weight = true});
  if (facts.row_major || kept.shape.size() <= 1) state.layouts.SetRowMajor(id);
  const auto [shared, is_new] = state.storages.try_emplace(kept.bytes->storage(), id);
  if (!is_new) state.aliases.AddMaybe(shared->second, id, true);
  if (!state.program_state.kept || facts.made_anew) state.functionalizer.RemarkOnWrite(id, WeightRemark(name));
  return id;
}

void Tracer::AddOutput(const std::string& name, Arg value) {
  State& state = *state_;
  if (value.is_none()) return findings().Remark(fmt::format("output `{}` is None and is left out", name));
  if (state.ReadArg(&value, "the result")) return state.recorder.AddOutput(name, std::move(value));
  // If an output is missing, the model is never written.
  if (findings().failures().empty())
    Fail("", fmt::format("output `{}` could not be made, and no reason is known", name));
}

// ---- calls

std::vector<Arg> Tracer::Call(const ir::Operator& op, std::vector<Arg> args, const ir::StatedTypes* stated,
                              const RareList<ir::Attribute>* names) {
  State& state = *state_;
  for (const Arg& arg : args) state.regions.NoteReads(arg);
  if (const auto why = state.WhyUnrolled(op, args)) return {{Fail(op, *why)}};
  for (Arg& arg : args) {
    if (const auto* number = std::get_if<std::shared_ptr<const ir::TensorData>>(&arg.v)) {
      arg = {AddWeight("constant", ir::WithDType(**number, ComplexDType(*this, args)),
                       {.row_major = true, .made_anew = true})};
    }
  }
  ir::Node node;
  node.op = op;
  node.location = state.places.NextCall();
  if (!state.CheckArgs(op, args) && !state.CheckReshape(op, args)) return state.recorder.Fail(&node, stated);
  const auto empty_side = EmptySide(state.source, op, args);
  node.inputs = std::move(args);
  if (names != nullptr) node.attributes = *names;
  std::vector<Arg> results = state.functionalizer.Call(std::move(node), stated);
  if (empty_side && results[0].value() != nullptr) state.empty_sides.emplace(*results[0].value(), *empty_side);
  return results;
}

bool Tracer::IsCustomNode(const ir::Operator& op) const { return state_->recorder.lowerer().IsCustomNode(op); }

const ir::Value& Tracer::TypeOf(ValueId id) const { return state_->TypeOfValue(id); }

std::optional<bool> Tracer::IsContiguous(ValueId tensor, functionalize::MemoryFormat format) const {
  return state_->layouts.IsContiguous(state_->aliases.NameOf(tensor), format);
}
bool Tracer::IsFailed(ValueId id) const { return state_->IsFailed(id); }

bool Tracer::CheckUsable(ValueId id) { return !state_->CheckArgs("", {{id}}); }

ValueId Tracer::Fail(const ir::Operator& op, const Reason& reason) {
  state_->findings.Report(op, reason);
  return state_->recorder.AddFailed();
}

ValueId Tracer::Poison(const std::string& reason) {
  const ValueId id = state_->recorder.AddFailed();
  state_->poison.insert_or_assign(id, reason);
  return id;
}

// ---- the end

void Tracer::EndState() {
  kept_state().End([this](const std::string& name, ValueId value) { AddOutput(name, {value}); });
}

bool Tracer::contradicted() const { return state_->recorder.lowerer().contradicted(); }
const ir::Graph& Tracer::source() const { return state_->source; }

ir::Graph Tracer::TakeGraph() { return state_->recorder.TakeOnnx(); }
ir::Graph Tracer::TakeSource() { return state_->recorder.TakeSource(); }

}  // namespace onnxport::trace
