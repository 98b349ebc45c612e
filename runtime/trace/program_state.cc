// The state that a program leaves behind for its next call.
#include "runtime/trace/program_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "runtime/ir/dtype.h"
#include "runtime/trace/state.h"
#include "runtime/trace/state_remarks.h"
#include "runtime/trace/tracer.h"

namespace onnxport::trace {

using ir::Arg;
using ir::ValueId;

namespace {

constexpr const char* kEnd = "the end of the program";

std::string TypeText(const ir::Value& type) {
  std::string dims;
  for (const ir::Dim& dim : type.dims.value_or(ir::Dims())) dims += (dims.empty() ? "" : ",") + dim.ToString();
  return fmt::format("{}[{}]", ir::Name(type.dtype), dims);
}

// Sizes that are not known may be the same; the runtime that gets the tensor back looks at them.
bool SameType(const ir::Value& a, const ir::Value& b) {
  if (a.kind != b.kind || a.dtype != b.dtype) return false;
  if (!a.dims || !b.dims) return true;
  return std::ranges::equal(
      *a.dims, *b.dims, [](const ir::Dim& x, const ir::Dim& y) { return x.is_unknown() || y.is_unknown() || x == y; });
}

}  // namespace

void Tracer::Become(const std::vector<std::pair<ValueId, Arg>>& values) {
  State& state = *state_;
  std::vector<std::pair<ValueId, ValueId>> read;
  for (const auto& [tensor, value] : values) {
    const State::StateTensor* end = state.EndOf(tensor);
    if (!state.program_state.kept) {
      if (end != nullptr) Remark(end->weight ? WeightRemark(end->name) : InputRemark(end->name));
      continue;
    }
    if (end == nullptr) {
      Fail("", {Code::kStateIsNotKept,
                "a tensor that is computed from parameters or buffers is set to another; only they can be kept"});
      continue;
    }
    Arg now = value;
    if (!state.ReadArg(&now, kEnd)) continue;
    const ir::Value& before = state.source.value(tensor);
    if (now.value() == nullptr || !SameType(state.source.value(*now.value()), before)) {
      const std::string after = now.value() == nullptr ? "no tensor" : TypeText(state.source.value(*now.value()));
      Fail("",
           {Code::kStateIsNotKept,
            fmt::format("'{}' is {} before the program and {} after it; what is kept from call to call has one type "
                        "and one shape",
                        end->name, TypeText(before), after)});
      continue;
    }
    read.emplace_back(tensor, *now.value());
  }
  for (const auto& [tensor, value] : read) {
    if (state.functionalizer.aliases().ValueOfBase(tensor) == value) continue;
    state.recorder.Refine(value, tensor);
    state.functionalizer.Assign(tensor, value, kEnd);
  }
}

bool Tracer::MayShareMemory(ValueId a, ValueId b) const {
  functionalize::Aliases& aliases = state_->functionalizer.aliases();
  const std::vector<ValueId> around = aliases.BasesAround(a);
  return std::ranges::find(around, aliases.BaseOf(b)) != around.end();
}

void Tracer::EndState() {
  State& state = *state_;
  if (!state.program_state.kept) return;
  SetLocation(ir::LocationId::kNone);  // of no call, but of the program's end
  std::unordered_map<ValueId, size_t> inputs;
  for (const ir::Port& port : state.source.inputs) inputs.try_emplace(*port.value.value(), inputs.size());
  for (const State::StateTensor& end : state.ends) {
    if (state.source.value(end.id).kind != ir::ValueKind::kTensor) continue;
    if (!state.functionalizer.aliases().base_written(end.id)) continue;
    if (!end.input) {
      state.more_state.insert(end.name);
    } else if (state.CheckAlone(end)) {
      state.AddPair(this, end, inputs.at(end.id));
    }
  }
}

void Tracer::State::AddEnd(StateTensor end) {
  place_of_end.try_emplace(end.id, ends.size());
  ends.push_back(std::move(end));
}

const Tracer::State::StateTensor* Tracer::State::EndOf(ValueId id) const {
  const auto found = place_of_end.find(id);
  return found == place_of_end.end() ? nullptr : &ends[found->second];
}

// Two that share memory would be two inputs that a caller could set apart.
bool Tracer::State::CheckAlone(const StateTensor& end) {
  for (const ValueId base : functionalizer.aliases().BasesAround(end.id)) {
    const StateTensor* other = EndOf(base);
    if (base == end.id || other == nullptr || !other->weight) continue;
    recorder.Report("",
                    {Code::kStateIsNotKept,
                     fmt::format("'{}' is written to and shares memory with '{}', which a model cannot say; give it "
                                 "memory of its own (clone) before the export",
                                 end.name, other->name)});
    return false;
  }
  return true;
}

void Tracer::State::AddPair(Tracer* tracer, const StateTensor& end, size_t input) {
  const size_t output = source.outputs.size();
  tracer->AddOutput(end.name + kNextValue, {end.id});
  if (source.outputs.size() == output) return;  // reported
  state_pairs.push_back({.name = end.name, .input = input, .output = output, .weight = end.weight});
}

const std::set<std::string>& Tracer::more_state() const { return state_->more_state; }
const std::vector<StatePair>& Tracer::state_pairs() const { return state_->state_pairs; }

}  // namespace onnxport::trace
