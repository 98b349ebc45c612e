#include "runtime/trace/open_regions.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "runtime/ir/join.h"

namespace onnxport::trace {

using ir::Arg;
using ir::ValueId;

namespace {
constexpr int kOtherSizesOpset = 11;  // an If can choose between tensors of other sizes
}  // namespace

void OpenRegions::Begin() {
  recorder_.BeginBlock();
  aliases_.Enter();
  open_.push_back({.mark = recorder_.graph().values.size(),
                   .failures = findings_.failures().size(),
                   .reports = findings_.reports(),
                   .remarks = findings_.remarks().size()});
}

ValueId OpenRegions::BlockInput(ir::Value type, const Arg& initial) {
  if (initial.value() != nullptr && values_.IsFailed(*initial.value())) return recorder_.AddFailed();
  const bool shares = ir::HoldsTensors(type.kind);
  const ValueId id = recorder_.AddBlockInput(std::move(type));
  if (!shares || initial.value() == nullptr) return id;
  open_.back().entering.emplace_back(id, *initial.value());
  const ValueId before = aliases_.NameOf(*initial.value());
  if (layouts_.IsRowMajor(before) && !other_layouts_.contains(before)) layouts_.SetRowMajor(id);
  return id;
}

Region OpenRegions::End() {
  Region region = Close();
  region.rest->block = recorder_.EndBlock();
  return region;
}

ValueId OpenRegions::CarryWrite(ValueId base) {
  const ValueId inside = BlockInput(recorder_.graph().value(base), {});
  open_.back().carried_writes.emplace_back(base, inside);
  return inside;
}

void OpenRegions::LinkInputs() {
  const auto entering = std::exchange(open_.back().entering, {});
  for (const auto& [input, initial] : entering) EnterAs(input, initial);
  for (const auto& [input, initial] : entering) open_.back().entered[input] = aliases_.BasesAround(input);
}

void OpenRegions::EnterAs(ValueId input, ValueId initial) {
  const ValueId before = aliases_.NameOf(initial);
  const ir::Value& type = recorder_.graph().value(input);
  const bool fits = opset_ >= kOtherSizesOpset || type.dims == recorder_.graph().value(before).dims;
  const bool follows = fits && type.kind == ir::ValueKind::kTensor && !other_identities_.contains(before) &&
                       aliases_.RepeatedBelow(initial) == ValueId::kNone;
  if (!follows) return aliases_.AddMaybe(input, initial);
  const ValueId still = recorder_.AddBlockInput(*ir::TypeOfNumber({true}));
  aliases_.AddMaybeOn(input, initial, still, true);
  open_.back().carried_identities.push_back({input, before, still});
}

void OpenRegions::Append(Region* region, const std::function<void()>& make) {
  record::Recorder::Block block = std::move(region->rest->block);
  recorder_.AppendTo(&block, [&] {
    Open(*region);
    make();
    *region = Close();
  });
  region->rest->block = std::move(block);
}

// Opens the region, without its calls.
void OpenRegions::Open(const Region& region) {
  Region::Rest& rest = *region.rest;
  open_.push_back({.mark = rest.mark,
                   .failures = findings_.failures().size(),
                   .reports = findings_.reports() - (region.failed ? 1 : 0),
                   .remarks = findings_.remarks().size(),
                   .reads = std::move(rest.reads),
                   .carried_writes = std::move(rest.carried_writes),
                   .entered = std::move(rest.entered),
                   .carried_identities = std::move(rest.carried_identities)});
  aliases_.Reenter(std::move(rest.changes));
  for (record::Failure& failure : rest.failures) findings_.Report(std::move(failure));
  for (std::string& remark : rest.remarks) findings_.Remark(std::move(remark));
}

// Closes the region, without its calls.
Region OpenRegions::Close() {
  Opened& last = open_.back();
  Region region;
  region.rest = std::make_shared<Region::Rest>();
  Region::Rest& rest = *region.rest;
  rest.changes = aliases_.Leave();
  rest.failures = findings_.TakeFailures(last.failures);
  rest.remarks = findings_.TakeRemarks(last.remarks);
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
  region.failed = findings_.reports() != last.reports;
  open_.pop_back();
  return region;
}

void OpenRegions::Commit(const Region& region, bool alone) {
  for (const record::Failure& failure : region.rest->failures) findings_.Report(failure);
  for (const std::string& remark : region.rest->remarks) findings_.Remark(remark);
  for (const auto& [base, what] : region.rest->changes.doubts) {
    if (static_cast<size_t>(base) >= region.rest->mark) continue;
    aliases_.Doubt(base, what, alone);
  }
  if (open_.empty()) return;
  for (const ValueId base : region.rest->reads) {
    if (IsOlder(base)) open_.back().reads.insert(base);
  }
}

// Notes the bases that a call reads, for loops that write to carried tensors in place.
void OpenRegions::NoteReads(const Arg& arg) {
  if (open_.empty()) return;
  if (const ValueId* id = arg.value(); id != nullptr && recorder_.graph().value(*id).kind == ir::ValueKind::kTensor) {
    const ValueId base = aliases_.BaseOf(*id);
    if (IsOlder(base)) open_.back().reads.insert(base);
  }
  if (arg.list() != nullptr) {
    for (const Arg& element : *arg.list()) NoteReads(element);
  }
}

bool OpenRegions::IsOlder(ValueId id) const { return !open_.empty() && static_cast<size_t>(id) < open_.back().mark; }

bool OpenRegions::IsFromOutside(ValueId id) const {
  return IsOlder(id) || (!open_.empty() && open_.back().entered.contains(id));
}

std::vector<ValueId> OpenRegions::Entered(ValueId input) const {
  const auto found = open_.back().entered.find(input);
  return found == open_.back().entered.end() ? std::vector<ValueId>() : found->second;
}

}  // namespace onnxport::trace
