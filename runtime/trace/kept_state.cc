#include "runtime/trace/kept_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "runtime/ir/dtype.h"
#include "runtime/trace/functionalize/aliases.h"
#include "runtime/trace/functionalize/functionalizer.h"
#include "runtime/trace/reader.h"
#include "runtime/trace/record/recorder.h"
#include "runtime/trace/state_remarks.h"

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

// Unknown sizes may be equal. The runtime that gets the tensor back checks them.
bool SameType(const ir::Value& a, const ir::Value& b) {
  if (a.kind != b.kind || a.dtype != b.dtype) return false;
  if (!a.dims || !b.dims) return true;
  return std::ranges::equal(
      *a.dims, *b.dims, [](const ir::Dim& x, const ir::Dim& y) { return x.is_unknown() || y.is_unknown() || x == y; });
}

}  // namespace

KeptState::KeptState(bool kept, record::Recorder* recorder, functionalize::Functionalizer* functionalizer,
                     Reader* reader)
    : kept_(kept),
      recorder_(*recorder),
      functionalizer_(*functionalizer),
      aliases_(functionalizer->aliases()),
      reader_(*reader) {}

void KeptState::Add(Tensor tensor) {
  places_.try_emplace(tensor.id, tensors_.size());
  tensors_.push_back(std::move(tensor));
}

void KeptState::Become(const std::vector<std::pair<ValueId, Arg>>& values) {
  std::vector<std::pair<ValueId, ValueId>> read;
  for (const auto& [tensor, value] : values) {
    const Tensor* end = Find(tensor);
    if (!kept_) {
      if (end != nullptr) recorder_.findings().Remark(end->weight ? WeightRemark(end->name) : InputRemark(end->name));
      continue;
    }
    if (end == nullptr) {
      recorder_.findings().Report(
          "", {Code::kStateIsNotKept,
               "a tensor that is computed from parameters or buffers is set to another; only they can be kept"});
      continue;
    }
    Arg now = value;
    if (!reader_.Read(&now, kEnd)) continue;
    const ir::Value& before = recorder_.graph().value(tensor);
    if (now.value() == nullptr || !SameType(recorder_.graph().value(*now.value()), before)) {
      const std::string after = now.value() == nullptr ? "no tensor" : TypeText(recorder_.graph().value(*now.value()));
      recorder_.findings().Report(
          "", {Code::kStateIsNotKept,
               fmt::format("'{}' is {} before the program and {} after it; what is kept from call to call has one type "
                           "and one shape",
                           end->name, TypeText(before), after)});
      continue;
    }
    read.emplace_back(tensor, *now.value());
  }
  for (const auto& [tensor, value] : read) {
    if (aliases_.ValueOfBase(tensor) == value) continue;
    recorder_.Refine(value, tensor);
    functionalizer_.Assign(tensor, value, kEnd);
  }
}

bool KeptState::MayShareMemory(ValueId a, ValueId b) const {
  const std::vector<ValueId> around = aliases_.BasesAround(a);
  return std::ranges::find(around, aliases_.BaseOf(b)) != around.end();
}

void KeptState::End(const std::function<void(const std::string& name, ValueId value)>& add_output) {
  if (!kept_) return;
  recorder_.places().Set(ir::LocationId::kNone);  // it belongs to the program's end, not to a call
  std::unordered_map<ValueId, size_t> inputs;
  for (const ir::Port& port : recorder_.graph().inputs) inputs.try_emplace(*port.value.value(), inputs.size());
  for (const Tensor& tensor : tensors_) {
    if (recorder_.graph().value(tensor.id).kind != ir::ValueKind::kTensor) continue;
    if (!aliases_.base_written(tensor.id)) continue;
    if (!tensor.input) {
      more_.insert(tensor.name);
    } else if (CheckAlone(tensor)) {
      const size_t output = recorder_.graph().outputs.size();
      add_output(tensor.name + kNextValue, tensor.id);
      if (recorder_.graph().outputs.size() == output) continue;  // already reported
      pairs_.push_back({.name = tensor.name, .input = inputs.at(tensor.id), .output = output, .weight = tensor.weight});
    }
  }
}

const KeptState::Tensor* KeptState::Find(ValueId id) const {
  const auto found = places_.find(id);
  return found == places_.end() ? nullptr : &tensors_[found->second];
}

// If two tensors share memory, they would be two inputs that a caller could set to different values.
bool KeptState::CheckAlone(const Tensor& tensor) {
  for (const ValueId base : aliases_.BasesAround(tensor.id)) {
    const Tensor* other = Find(base);
    if (base == tensor.id || other == nullptr || !other->weight) continue;
    recorder_.findings().Report(
        "", {Code::kStateIsNotKept,
             fmt::format("'{}' is written to and shares memory with '{}', which a model cannot say; give it "
                         "memory of its own (clone) before the export",
                         tensor.name, other->name)});
    return false;
  }
  return true;
}

}  // namespace onnxport::trace
