// A side of a branch or an iteration of a loop changes variables, containers and tensors, and all three can be undone.
// Each keeps a journal from Begin on, so the cost of undoing depends on the changes only.
#include "runtime/sources/torchscript/interpret/execution.h"

#include <fmt/format.h>

#include "runtime/base/error.h"
#include "runtime/base/interruption.h"
#include "runtime/sources/torchscript/interpret/values/leaves.h"

namespace onnxport::torchscript {
namespace {

constexpr int64_t kMaxSteps = 20'000'000;  // statements and calls; no real model needs more
constexpr int kMaxBlocks = 30;             // If in Loop in If ...: readers of ONNX files refuse more

}  // namespace

void Execution::Begin() {
  if (blocks_ == kMaxBlocks)
    throw Error(onnxport::Code::kTooManySteps,
                fmt::format("conditions and loops decided at run time are nested more than {} deep", kMaxBlocks));
  // All three keep their own journals and are begun and undone together, so a side of an `if` leaves nothing behind.
  ++blocks_;
  tracer_.regions().Begin();
  heap_.Begin();
  EditFrame().Begin();
}

// Ends the three in the reverse order of Begin.
Execution::Outcome Execution::Undo() {
  --blocks_;
  Outcome outcome;
  outcome.variables = EditFrame().Undo();
  outcome.cells = heap_.Undo();
  for (Frame::Change& change : outcome.variables) Settle(&change.after);
  for (Heap::Change& change : outcome.cells) {
    for (Value& item : change.after.items) Settle(&item);
    for (auto& [name, attribute] : change.after.attributes) Settle(&attribute);
  }
  outcome.region = tracer_.regions().End();
  return outcome;
}

// `b = b.detach()` leaves the tensor that `b` was, and neither an If nor a Loop has to carry it.
void Execution::Settle(Value* value) {
  const auto* tensor = value->As<Tensor>();
  if (tensor) value->v = Tensor{tracer_.regions().Settle(tensor->id), tensor->wraps};
}

void Execution::CountStep() {
  Interruption::Check();
  if (++steps_ > kMaxSteps)
    throw Error(onnxport::Code::kTooManySteps,
                fmt::format("the program takes more than {} steps to export", kMaxSteps));
}

void LocateAt(Offset offset, Execution* run) {
  run->EditTracer().places().Set(run->calls().LocationAt(offset));
  run->EditTracer().unrolled().SetRecorded(run->calls().MayBeRecorded());
}

void Remark(Offset offset, const std::string& text, Execution* run) {
  run->EditTracer().findings().Remark(fmt::format("{}: {}", run->calls().Place(offset), text));
}

void BadCode(const Expr& expr, const std::string& what, const Execution& run) {
  throw Error(onnxport::Code::kBadScript, fmt::format("{}: {}", run.calls().Place(expr.offset), what));
}

Value Failed(const std::string& reason, Execution* run) {
  run->EditTracer().Fail("", reason);
  return {Missing{.reason = reason, .reported = true}};
}

bool IsUsable(const Value& value, const std::string& what, Execution* run) {
  const auto* missing = value.As<Missing>();
  if (!missing) return true;
  // A failure is reported once, where it happened. Calls that depend on it are skipped silently.
  if (!missing->reported)
    run->EditTracer().Fail("", missing->reason.text.empty() ? Reason(what + " has no value") : missing->reason);
  return false;
}

const Number* RunNumber(const Value& value, const std::string& what, const char* noun, const Expr& at, Execution* run) {
  const auto* number = value.As<Number>();
  if (IsUsable(value, what, run) && number && !run->tracer().IsFailed(number->id)) return number;
  if (!number && !value.As<Missing>()) BadCode(at, fmt::format("{} is no {}", KindOf(value), noun), *run);
  return nullptr;
}

}  // namespace onnxport::torchscript
