#include "runtime/trace/state.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/aten/aten_schema.h"
#include "runtime/ir/join.h"
#include "runtime/trace/functionalize/added_calls.h"

namespace onnxport::trace {

using ir::Arg;
using ir::ValueId;
using ir::ValueKind;

// The bases that a call reads, for loops whose carried tensors are written in place.
void Tracer::State::NoteReads(const Arg& arg) {
  if (const ValueId* id = arg.value(); id != nullptr && source.value(*id).kind == ValueKind::kTensor) {
    const ValueId base = functionalizer.aliases().BaseOf(*id);
    if (static_cast<size_t>(base) < open.back().mark) open.back().reads.insert(base);
  }
  if (arg.list() != nullptr) {
    for (const Arg& element : *arg.list()) NoteReads(element);
  }
}

bool Tracer::State::CheckArgs(const ir::Operator& op, const std::vector<Arg>& args) {
  bool failed = false;
  for (const Arg& arg : args) {
    if (arg.list() != nullptr) failed = CheckArgs(op, *arg.list()) || failed;
    if (arg.value() == nullptr) continue;
    if (const auto found = poison.find(*arg.value()); found != poison.end()) findings.Report(op, found->second);
    failed = failed || IsFailed(*arg.value());
  }
  return failed;
}

// A weight may have other names, and what a branch or loop changes cannot be told outside of it.
bool Tracer::State::CheckReshape(const ir::Operator& op, const std::vector<Arg>& args) {
  const ValueId* object = args.empty() ? nullptr : args[0].value();
  const ir::AtenSchema* schema = object == nullptr ? nullptr : ir::FindAtenSchema(op);
  if (schema == nullptr || !functionalize::ReshapesInPlace(*schema)) return true;
  const bool older = !open.empty() && static_cast<size_t>(*object) < open.back().mark;
  if (!older && !weight_ids.contains(*object)) return true;
  findings.Report(op, fmt::format("changes the shape of {} in place; assign the result of the form without `_` instead",
                                  older ? "a tensor from outside an `if` or loop" : "a weight"));
  return false;
}

// Returns true if the value can be used.
bool Tracer::State::ReadArg(Arg* arg, const std::string& reader) {
  if (CheckArgs("", {*arg})) return false;
  if (!open.empty()) NoteReads(*arg);
  const size_t reports = findings.reports();
  functionalizer.Read(arg, reader);
  return findings.reports() == reports && !recorder.AnyFailed({*arg});
}

std::optional<std::string> Tracer::State::WhyUnrolled(const ir::Operator& op, const std::vector<Arg>& args) {
  if (traced_sizes.empty() || args.empty() || !args[0].value()) return std::nullopt;
  const ir::Value& self = TypeOfValue(*args[0].value());
  return self.dims ? trace::WhyUnrolled(traced_sizes, op, args, *self.dims) : std::nullopt;
}

std::optional<size_t> Tracer::State::EmptySide(ValueId condition) const {
  const auto found = empty_sides.find(condition);
  return found == empty_sides.end() ? std::nullopt : std::optional(found->second);
}

bool Tracer::State::IsFailed(ValueId id) {
  if (recorder.IsFailed(id)) return true;
  if (!ir::HoldsTensors(source.value(id).kind)) return false;
  const auto value = functionalizer.aliases().Peek(id);
  return recorder.IsFailed(value ? *value : PresentOf(functionalizer.aliases().BaseOf(id)));
}

const ir::Value& Tracer::State::TypeOfValue(ValueId id) {
  const ir::Value& type = source.value(functionalizer.aliases().NameOf(id));
  if (type.kind != ValueKind::kTensor || recorder.IsFailed(id)) return type;
  const auto value = functionalizer.aliases().Peek(id);
  if (value && !recorder.IsFailed(*value)) return source.value(*value);
  if (!type.contents) return type;
  ir::Value& stale = stale_types[id];
  stale = type;
  stale.contents.reset();
  return stale;
}

std::optional<ir::Value> Tracer::State::TypeOf(const Arg& arg) {
  if (arg.value() != nullptr) return TypeOfValue(*arg.value());
  return ir::TypeOfNumber(arg);
}

// ---- regions

void Tracer::State::Begin() {
  recorder.BeginBlock();
  functionalizer.aliases().Enter();
  open.push_back({.mark = source.values.size(),
                  .failures = findings.failures().size(),
                  .reports = findings.reports(),
                  .remarks = findings.remarks().size()});
}

Region Tracer::State::End() {
  Region region = Close();
  region.rest->block = recorder.EndBlock();
  return region;
}

void Tracer::State::Append(Region* region, const std::function<void()>& make) {
  record::Recorder::Block block = std::move(region->rest->block);
  recorder.AppendTo(&block, [&] {
    Open(*region);
    make();
    *region = Close();
  });
  region->rest->block = std::move(block);
}

// But for the calls.
void Tracer::State::Open(const Region& region) {
  Region::Rest& rest = *region.rest;
  open.push_back({.mark = rest.mark,
                  .failures = findings.failures().size(),
                  .reports = findings.reports() - (region.failed ? 1 : 0),
                  .remarks = findings.remarks().size(),
                  .reads = std::move(rest.reads),
                  .carried_writes = std::move(rest.carried_writes),
                  .entered = std::move(rest.entered)});
  functionalizer.aliases().Reenter(std::move(rest.changes));
  for (record::Failure& failure : rest.failures) findings.Report(std::move(failure));
  for (std::string& remark : rest.remarks) findings.Remark(std::move(remark));
}

// But for the calls.
Region Tracer::State::Close() {
  OpenRegion& last = open.back();
  Region region;
  region.rest = std::make_shared<Region::Rest>();
  Region::Rest& rest = *region.rest;
  rest.changes = functionalizer.aliases().Leave();
  rest.failures = findings.TakeFailures(last.failures);
  rest.remarks = findings.TakeRemarks(last.remarks);
  rest.mark = last.mark;
  rest.reads = std::move(last.reads);
  rest.carried_writes = std::move(last.carried_writes);
  rest.entered = std::move(last.entered);
  const std::unordered_map<ValueId, ValueId> carried(rest.carried_writes.begin(), rest.carried_writes.end());
  for (const auto& write : rest.changes.writes) {
    const auto found = carried.find(write.base);
    const bool kept = found != carried.end() && found->second == write.value;
    if (static_cast<size_t>(write.base) < rest.mark) region.writes.push_back({write.base, write.value, kept});
  }
  region.doubts = std::ranges::any_of(rest.changes.doubts,
                                      [&](const auto& doubt) { return static_cast<size_t>(doubt.first) < rest.mark; });
  region.failed = findings.reports() != last.reports;
  open.pop_back();
  return region;
}

void Tracer::State::Commit(const Region& region) {
  for (const record::Failure& failure : region.rest->failures) findings.Report(failure);
  for (const std::string& remark : region.rest->remarks) findings.Remark(remark);
  for (const auto& [base, what] : region.rest->changes.doubts) {
    if (static_cast<size_t>(base) < region.rest->mark) functionalizer.aliases().Doubt(base, what);
  }
  if (open.empty()) return;
  for (const ValueId base : region.rest->reads) {
    if (static_cast<size_t>(base) < open.back().mark) open.back().reads.insert(base);
  }
}

ValueId Tracer::State::PresentOf(ValueId base) { return functionalizer.aliases().ValueOfBase(base); }

Arg Tracer::State::SizeOfDummy(const ir::Dim& size) {
  if (size.is_number()) return {size.number()};
  for (const ir::Port& input : source.inputs) {
    const ValueId* id = input.value.value();
    if (size.is_unknown() || !id || !source.value(*id).dims) continue;
    const ir::Dims& dims = *source.value(*id).dims;
    const auto axis = std::ranges::find(dims, size) - dims.begin();
    if (axis == std::ssize(dims)) continue;
    return functionalize::AddInstruction(&recorder, ir::Instruction::kSymSize, {{*id}, {int64_t{axis}}});
  }
  return {int64_t{1}};
}

std::optional<Arg> Tracer::State::Dummy(const ir::Value& type) {
  if (type.kind == ValueKind::kInt) return Arg{int64_t{0}};
  if (type.kind == ValueKind::kFloat) return Arg{0.0};
  if (type.kind == ValueKind::kBool) return Arg{false};
  ir::Node node;
  node.location = places.NextCall();
  if (type.kind == ValueKind::kSequence) {
    node.op = ir::Instruction::kSequenceEmpty;
    node.inputs = ir::EmptySequenceOf(type);
  } else {
    ir::ArgList sizes;
    for (const ir::Dim& dim : type.dims.value_or(ir::Dims())) sizes.push_back(SizeOfDummy(dim));
    node.op = ir::Instruction::kZeros;
    node.inputs = {{std::move(sizes)}, {type.dtype}};
  }
  const std::vector<Arg> made = recorder.Append(&node);
  if (recorder.AnyFailed(made)) return std::nullopt;
  return made[0];
}

}  // namespace onnxport::trace
