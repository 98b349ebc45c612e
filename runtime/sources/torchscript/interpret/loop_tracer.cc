#include "runtime/sources/torchscript/interpret/loop_tracer.h"

#include <utility>

#include "runtime/ir/join.h"
#include "runtime/ir/until_settled.h"
#include "runtime/sources/torchscript/interpret/assigned.h"
#include "runtime/sources/torchscript/interpret/values/leaves.h"
#include "runtime/sources/torchscript/interpret/values/refusal.h"

namespace onnxport::torchscript {
namespace {

using Kind = Pattern::Kind;

}  // namespace

LoopTracer::LoopTracer(const LoopParts& parts, const Stmt& stmt, ir::LoopSpec loop, Iterate iterate)
    : parts_(parts),
      run_(*parts.run),
      stmt_(stmt),
      loop_(std::move(loop)),
      iterate_(std::move(iterate)),
      slots_(parts) {}

bool LoopTracer::Run() {
  const std::optional<bool> is_made = ir::UntilSettled([this] { return TryOnce(); });
  if (!is_made) why_ = "what the loop changes does not settle";
  return is_made.value_or(false);
}

std::optional<bool> LoopTracer::TryOnce() {
  Speculation::Outcome outcome = Trace();
  if (!why_.empty()) {
    if (!slots_.CheckScans()) return false;
    // The program read a list that was empty only because it was assumed to be a scan output.
    why_.clear();
    return Again();
  }
  if (outcome.region.failed) {
    LeaveFailed(std::move(outcome));
    return true;
  }
  bool again = slots_.Update(outcome, stmt_);
  if (!slots_.why().empty()) {
    why_ = slots_.why();
    return false;
  }
  // Both calls have effects.
  again |= trace::UpdateWrites(outcome.region, &writes_);
  if (again || slots_.CheckScans()) return Again();
  return Finish(std::move(outcome)) ? std::optional(true) : std::nullopt;
}

std::optional<bool> LoopTracer::Again() {
  if (slots_.PrepareSequences()) return std::nullopt;
  why_ = slots_.why();
  return false;
}

Speculation::Outcome LoopTracer::Trace() {
  loop_.next_condition = {};
  loop_.scans.clear();
  // The end of the speculation undoes everything that the body does. Only its region remains.
  Speculation speculation(&run_);
  const Scans::Tracing tracing(parts_.scans);
  loop_.iteration = run_.EditTracer().regions().BlockInput(*ir::TypeOfNumber({int64_t{0}}));
  // Before writes are carried, because they may be to memory that a block input shares (see Regions::CarryWrites).
  loop_.carried = slots_.Enter();
  run_.EditTracer().regions().CarryWrites(writes_);
  try {
    const Value goes_on = iterate_({Number{loop_.iteration}});
    loop_.next_condition = stmt_.kind == StmtKind::kWhile ? LeafArg(goes_on) : ir::Arg();
    slots_.MakeSequences();
  } catch (const Refusal& raised) {
    if (!IsRaised(raised)) throw;
    why_ = raised.what();
  }
  return speculation.End();
}

bool LoopTracer::Finish(Speculation::Outcome outcome) {
  std::vector<Pattern*> places;
  slots_.ForEach([&](Pattern& pattern, const Value&, const Value& after) {
    if (pattern.kind == Kind::kScan) {
      const Value& element = (*after.As<CellPtr>())->items[0];
      if (parts_.grids->Of(element)) run_.EditTracer().Fail("", kQuantizedElement);
      loop_.scans.push_back(LeafArg(element));
      return;
    }
    // Enter made them in the order of ForEach, without the scans.
    ir::Arg& next = loop_.carried[places.size()].next;
    places.push_back(&pattern);
    next = pattern.kind == Kind::kSequence ? ir::Arg{(*after.As<CellPtr>())->sequence} : LeafArg(after);
  });
  LocateAt(stmt_.offset, &run_);
  std::vector<ir::Value> joined;
  const auto results = run_.EditTracer().regions().Loop(loop_, std::move(outcome.region), &joined);
  if (!results) {
    // Tensors that are written in place are carried, too, after the places. Their types are not set here.
    for (size_t i = 0; i < places.size() && i < joined.size(); ++i) {
      places[i]->type = joined[i];
      places[i]->type.contents.reset();
    }
    return false;
  }
  Leave(*results);
  return true;
}

void LoopTracer::Leave(const std::vector<ir::Arg>& results) {
  for (size_t i = 0; i < loop_.carried.size(); ++i) {
    const auto* before = loop_.carried[i].initial.value();
    const auto* after = loop_.carried[i].next.value();
    const auto* result = results[i].value();
    if (before && after && result && !parts_.grids->Join(*before, *after, *result))
      run_.EditTracer().Fail("", "a loop changes the scale of a quantized tensor");
  }
  slots_.Leave(results, loop_.carried.size());
}

// Keeps the failures of the body. The variables that it changes become unknown.
void LoopTracer::LeaveFailed(Speculation::Outcome outcome) {
  loop_.carried.clear();
  std::vector<ir::Value> joined;
  run_.EditTracer().regions().Loop(loop_, std::move(outcome.region), &joined);
  ForgetAssigned(stmt_.body, &run_);
}

}  // namespace onnxport::torchscript
