// Opens and closes regions. If and Loop are in branches.cc and loops.cc.
#include "runtime/trace/regions.h"

#include <algorithm>
#include <string>

#include "runtime/trace/state.h"

namespace onnxport::trace {

using ir::Arg;
using ir::ValueId;

void Regions::Begin() {
  state_.recorder.BeginBlock();
  state_.aliases.Enter();
  open_.push_back({.mark = state_.source.values.size(),
                   .failures = state_.findings.failures().size(),
                   .reports = state_.findings.reports(),
                   .remarks = state_.findings.remarks().size()});
}

ValueId Regions::BlockInput(ir::Value type, const Arg& initial) {
  if (initial.value() != nullptr && state_.IsFailed(*initial.value())) return state_.recorder.AddFailed();
  const bool shares = ir::HoldsTensors(type.kind);
  const ValueId id = state_.recorder.AddBlockInput(std::move(type));
  if (!shares || initial.value() == nullptr) return id;
  open_.back().entering.emplace_back(id, *initial.value());
  const ValueId before = state_.aliases.NameOf(*initial.value());
  if (state_.layouts.IsRowMajor(before) && !state_.other_layouts.contains(before)) state_.layouts.SetRowMajor(id);
  return id;
}

ValueId Regions::Settle(ValueId tensor) {
  if (open_.empty() || state_.IsFailed(tensor) || state_.source.value(tensor).kind != ir::ValueKind::kTensor)
    return tensor;
  const ValueId whole = state_.functionalizer.aliases().WholeOf(tensor);
  const auto& dims = state_.source.value(whole).dims;
  // LibTorch may treat a 0-d tensor as a number, and another name of it as a tensor.
  if (whole == tensor || !IsOlder(whole) || IsOlder(tensor) || !dims || dims->empty()) return tensor;
  return state_.functionalizer.Merge(tensor, whole) ? whole : tensor;
}

Region Regions::End() {
  Region region = Close();
  region.rest->block = state_.recorder.EndBlock();
  return region;
}

void Regions::HoldTo(const ir::Operator& op, const ir::Value& stated, ValueId result) {
  if (!state_.IsFailed(result)) state_.recorder.HoldTo(op, stated, result);
}

// ---- for the parts of the trace

void Regions::Append(Region* region, const std::function<void()>& make) {
  record::Recorder::Block block = std::move(region->rest->block);
  state_.recorder.AppendTo(&block, [&] {
    Open(*region);
    make();
    *region = Close();
  });
  region->rest->block = std::move(block);
}

// Opens the region, without its calls.
void Regions::Open(const Region& region) {
  Region::Rest& rest = *region.rest;
  open_.push_back({.mark = rest.mark,
                   .failures = state_.findings.failures().size(),
                   .reports = state_.findings.reports() - (region.failed ? 1 : 0),
                   .remarks = state_.findings.remarks().size(),
                   .reads = std::move(rest.reads),
                   .carried_writes = std::move(rest.carried_writes),
                   .entered = std::move(rest.entered),
                   .carried_identities = std::move(rest.carried_identities)});
  state_.aliases.Reenter(std::move(rest.changes));
  for (record::Failure& failure : rest.failures) state_.findings.Report(std::move(failure));
  for (std::string& remark : rest.remarks) state_.findings.Remark(std::move(remark));
}

// Closes the region, without its calls.
Region Regions::Close() {
  Opened& last = open_.back();
  Region region;
  region.rest = std::make_shared<Region::Rest>();
  Region::Rest& rest = *region.rest;
  rest.changes = state_.aliases.Leave();
  rest.failures = state_.findings.TakeFailures(last.failures);
  rest.remarks = state_.findings.TakeRemarks(last.remarks);
  rest.mark = last.mark;
  rest.reads = std::move(last.reads);
  rest.carried_writes = std::move(last.carried_writes);
  rest.entered = std::move(last.entered);
  rest.carried_identities = std::move(last.carried_identities);
  const std::unordered_map<ValueId, ValueId> carried(rest.carried_writes.begin(), rest.carried_writes.end());
  for (const auto& write : rest.changes.writes) {
    const auto found = carried.find(write.base);
    const bool kept = found != carried.end() && found->second == write.value;
    if (static_cast<size_t>(write.base) < rest.mark) region.writes.push_back({write.base, write.value, kept});
  }
  region.doubts = std::ranges::any_of(rest.changes.doubts,
                                      [&](const auto& doubt) { return static_cast<size_t>(doubt.first) < rest.mark; });
  region.failed = state_.findings.reports() != last.reports;
  open_.pop_back();
  return region;
}

void Regions::Commit(const Region& region, bool alone) {
  for (const record::Failure& failure : region.rest->failures) state_.findings.Report(failure);
  for (const std::string& remark : region.rest->remarks) state_.findings.Remark(remark);
  for (const auto& [base, what] : region.rest->changes.doubts) {
    if (static_cast<size_t>(base) >= region.rest->mark) continue;
    state_.aliases.Doubt(base, what, alone);
  }
  if (open_.empty()) return;
  for (const ValueId base : region.rest->reads) {
    if (IsOlder(base)) open_.back().reads.insert(base);
  }
}

// Notes the bases that a call reads, for loops that write to carried tensors in place.
void Regions::NoteReads(const Arg& arg) {
  if (open_.empty()) return;
  if (const ValueId* id = arg.value(); id != nullptr && state_.source.value(*id).kind == ir::ValueKind::kTensor) {
    const ValueId base = state_.aliases.BaseOf(*id);
    if (IsOlder(base)) open_.back().reads.insert(base);
  }
  if (arg.list() != nullptr) {
    for (const Arg& element : *arg.list()) NoteReads(element);
  }
}

bool Regions::IsOlder(ValueId id) const { return !open_.empty() && static_cast<size_t>(id) < open_.back().mark; }

bool Regions::IsFromOutside(ValueId id) const {
  return IsOlder(id) || (!open_.empty() && open_.back().entered.contains(id));
}

std::vector<ValueId> Regions::Entered(ValueId input) const {
  const auto found = open_.back().entered.find(input);
  return found == open_.back().entered.end() ? std::vector<ValueId>() : found->second;
}

}  // namespace onnxport::trace
