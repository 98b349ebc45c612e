#include "runtime/trace/tracer.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/aten/aten_schema.h"
#include "runtime/ir/complex_number.h"
#include "runtime/trace/empty_side.h"
#include "runtime/trace/functionalize/aliases.h"
#include "runtime/trace/functionalize/functionalizer.h"
#include "runtime/trace/functionalize/layouts.h"
#include "runtime/trace/functionalize/twins.h"
#include "runtime/trace/open_regions.h"
#include "runtime/trace/reader.h"
#include "runtime/trace/record/recorder.h"
#include "runtime/trace/state_remarks.h"
#include "runtime/trace/unrolled.h"
#include "runtime/trace/values.h"
#include "runtime/trace/weights.h"

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

// Returns the message for a call that cannot be right for a free axis: the trace unrolled a loop over the axis.
std::optional<std::string> WhyUnrolledNow(const UnrolledLoops& unrolled, Values* values, const ir::Operator& op,
                                          const std::vector<Arg>& args) {
  if (!unrolled.Watches() || args.empty() || !args[0].value()) return std::nullopt;
  const ir::Value& self = values->TypeOfValue(*args[0].value());
  if (!self.dims) return std::nullopt;
  const auto number_of = [values](const Arg& arg) {
    if (const auto* number = std::get_if<int64_t>(&arg.v)) return ir::Dim(*number);
    const ir::Value* type = arg.value() == nullptr ? nullptr : &values->TypeOfValue(*arg.value());
    const bool known =
        type != nullptr && type->kind == ir::ValueKind::kInt && type->contents && type->contents->size() == 1;
    return known ? type->contents->front() : ir::Dim();
  };
  return unrolled.Why(op, args, *self.dims, number_of);
}

// Returns why a call that changes the shape of a tensor in place cannot be followed. A weight may have other names, and
// changes in a branch or loop are not visible outside.
std::optional<std::string> WhyNotReshaped(const OpenRegions& open, const Weights& weights, const ir::Operator& op,
                                          const std::vector<Arg>& args) {
  const ValueId* object = args.empty() ? nullptr : args[0].value();
  if (object == nullptr) return std::nullopt;
  const bool older = open.IsOlder(*object);
  if (!older && !weights.Has(*object)) return std::nullopt;
  const ir::AtenSchema* schema = ir::FindAtenSchema(op);
  if (schema == nullptr || !functionalize::ReshapesInPlace(*schema, functionalize::FindTwin(*schema)))
    return std::nullopt;
  return fmt::format("changes the shape of {} in place; assign the result of the form without `_` instead",
                     older ? "a tensor from outside an `if` or loop" : "a weight");
}

}  // namespace

struct Tracer::Parts {
  Parts(int opset, lowering::FreeSizes free_sizes, ir::Ranges ranges, lowering::Options options, ProgramState state)
      : recorder(opset, free_sizes, std::move(ranges), std::move(options)),
        open_regions(opset, &recorder, &layouts, &aliases, &values),
        program_state(std::move(state)) {}

  record::Recorder recorder;
  functionalize::Layouts layouts{&recorder};
  functionalize::Functionalizer functionalizer{&recorder, &layouts};
  functionalize::Aliases& aliases = functionalizer.aliases();
  Values values{&recorder, &aliases};
  OpenRegions open_regions;
  Reader reader{&recorder, &functionalizer, &values, &open_regions};
  Regions regions{&recorder, &layouts, &functionalizer, &values, &reader, &open_regions};
  ProgramState program_state;
  KeptState kept_state{program_state.kept, &recorder, &functionalizer, &reader};
  Weights weights;
  UnrolledLoops unrolled;
};

Tracer::Tracer(int opset, lowering::FreeSizes free_sizes, ir::Ranges ranges, lowering::Options options,
               ProgramState program_state)
    : parts_(new Parts(opset, free_sizes, std::move(ranges), std::move(options), std::move(program_state))) {}
Tracer::~Tracer() = default;

record::Places& Tracer::places() { return parts_->recorder.places(); }
Regions& Tracer::regions() { return parts_->regions; }
KeptState& Tracer::kept_state() { return parts_->kept_state; }
record::Findings& Tracer::findings() { return parts_->recorder.findings(); }
const record::Findings& Tracer::findings() const { return parts_->recorder.findings(); }

// ---- the ends of the graph

ValueId Tracer::AddInput(const std::string& name, ir::Value type) {
  Parts& parts = *parts_;
  const bool row_major = type.kind == ir::ValueKind::kTensor && !type.strides;
  const ValueId id = parts.recorder.AddInput(name, std::move(type));
  if (row_major) parts.layouts.SetRowMajor(id);
  parts.kept_state.Add({.name = name, .id = id, .input = true});
  if (!parts.program_state.kept) parts.functionalizer.RemarkOnWrite(id, InputRemark(name));
  return id;
}

UnrolledLoops& Tracer::unrolled() { return parts_->unrolled; }

void Tracer::StateStrides(ValueId tensor, const ir::Dims& strides) {
  parts_->layouts.State(parts_->aliases.NameOf(tensor), strides);
}

ValueId Tracer::AddWeight(const std::string& name, std::shared_ptr<const ir::TensorData> data, WeightFacts facts) {
  Parts& parts = *parts_;
  if (const auto known = parts.weights.Find(*data)) return *known;
  const bool input = !facts.made_anew && parts.program_state.inputs.contains(name);
  const ValueId id = input ? parts.recorder.AddInput(name, TypeOfWeight(*data)) : parts.recorder.AddWeight(name, data);
  if (!facts.made_anew) parts.kept_state.Add({.name = name, .id = id, .input = input, .weight = true});
  if (facts.row_major || data->shape.size() <= 1) parts.layouts.SetRowMajor(id);
  const auto shared = parts.weights.Add(std::move(data), id);
  if (shared) parts.aliases.AddMaybe(*shared, id, true);
  if (!parts.program_state.kept || facts.made_anew) parts.functionalizer.RemarkOnWrite(id, WeightRemark(name));
  return id;
}

void Tracer::AddOutput(const std::string& name, Arg value) {
  Parts& parts = *parts_;
  if (value.is_none()) return findings().Remark(fmt::format("output `{}` is None and is left out", name));
  if (parts.reader.Read(&value, "the result")) return parts.recorder.AddOutput(name, std::move(value));
  // If an output is missing, the model is never written.
  if (findings().failures().empty())
    Fail("", fmt::format("output `{}` could not be made, and no reason is known", name));
}

// ---- calls

std::vector<Arg> Tracer::Call(const ir::Operator& op, std::vector<Arg> args, const ir::StatedTypes* stated,
                              const RareList<ir::Attribute>* names) {
  Parts& parts = *parts_;
  for (const Arg& arg : args) parts.open_regions.NoteReads(arg);
  if (const auto why = WhyUnrolledNow(parts.unrolled, &parts.values, op, args)) return {{Fail(op, *why)}};
  for (Arg& arg : args) {
    if (const auto* number = std::get_if<std::shared_ptr<const ir::TensorData>>(&arg.v)) {
      arg = {AddWeight("constant", ir::WithDType(**number, ComplexDType(*this, args)),
                       {.row_major = true, .made_anew = true})};
    }
  }
  ir::Node node;
  node.op = op;
  node.location = parts.recorder.places().NextCall();
  if (!parts.values.CheckArgs(op, args)) {
    if (const auto why = WhyNotReshaped(parts.open_regions, parts.weights, op, args)) {
      findings().Report(op, *why);
      return parts.recorder.Fail(&node, stated);
    }
  }
  const auto empty_side = EmptySide(parts.recorder.graph(), op, args);
  node.inputs = std::move(args);
  if (names != nullptr) node.attributes = *names;
  std::vector<Arg> results = parts.functionalizer.Call(std::move(node), stated);
  if (empty_side && results[0].value() != nullptr) parts.values.NoteEmptySide(*results[0].value(), *empty_side);
  return results;
}

bool Tracer::IsCustomNode(const ir::Operator& op) const { return parts_->recorder.lowerer().IsCustomNode(op); }

const ir::Value& Tracer::TypeOf(ValueId id) const { return parts_->values.TypeOfValue(id); }

std::optional<bool> Tracer::IsContiguous(ValueId tensor, functionalize::MemoryFormat format) const {
  return parts_->layouts.IsContiguous(parts_->aliases.NameOf(tensor), format);
}
bool Tracer::IsFailed(ValueId id) const { return parts_->values.IsFailed(id); }

bool Tracer::CheckUsable(ValueId id) { return !parts_->values.CheckArgs("", {{id}}); }

ValueId Tracer::Fail(const ir::Operator& op, const Reason& reason) {
  parts_->recorder.findings().Report(op, reason);
  return parts_->recorder.AddFailed();
}

ValueId Tracer::Poison(const std::string& reason) { return parts_->values.Poison(reason); }

// ---- the end

void Tracer::EndState() {
  kept_state().End([this](const std::string& name, ValueId value) { AddOutput(name, {value}); });
}

bool Tracer::contradicted() const { return parts_->recorder.lowerer().contradicted(); }
const ir::Graph& Tracer::source() const { return parts_->recorder.graph(); }

ir::Graph Tracer::TakeGraph() { return parts_->recorder.TakeOnnx(); }
ir::Graph Tracer::TakeSource() { return parts_->recorder.TakeSource(); }

}  // namespace onnxport::trace
