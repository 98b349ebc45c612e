// `for` and `while`: unrolled where the number of iterations is known and small, else ONNX Loop.
#include <fmt/format.h>

#include <utility>

#include "runtime/base/error.h"
#include "runtime/torchscript/interpret/interpreter.h"
#include "runtime/torchscript/interpret/loop_tracer.h"
#include "runtime/torchscript/interpret/values/leaves.h"

namespace onnxport::torchscript {
namespace {

constexpr int64_t kUnrollAlways = 64;      // iterations of a loop; more only when ONNX Loop cannot do it
constexpr int64_t kUnrollFreely = 20'000;  // iterations of all loops together; likewise
constexpr int64_t kMaxUnrolled = 200'000;  // iterations of all loops together

const Expr* TripCount(const Stmt& stmt) {
  const Expr& range = stmt.value;
  const bool is_range = range.kind == ExprKind::kCall && range.operands.size() == 2 &&
                        range.operands[0].kind == ExprKind::kName && range.operands[0].text == "range";
  return is_range && stmt.targets.size() == 1 && stmt.targets[0].kind == ExprKind::kName ? &range.operands[1] : nullptr;
}

}  // namespace

void Interpreter::CountIteration(const Stmt& stmt) {
  if (++iterations_ <= kMaxUnrolled) return;
  const std::string why =
      stmt.kind == StmtKind::kWhile ? ": the condition of this one is known and stays true" : std::string();
  throw Error(ErrorKind::kCannotExport,
              fmt::format("{}: loops unroll to more than {} iterations{}", Place(stmt.offset), kMaxUnrolled, why));
}

Value Interpreter::Iterate(const Stmt& stmt, const Value& iteration) {
  if (stmt.kind == StmtKind::kFor) activation_->frame.Set(stmt.targets[0].text, iteration);
  if (ExecuteAll(stmt.body) == Flow::kReturn) BadCode(stmt.value, "`return` inside a loop; the compiler writes none");
  DoubtAssigned(stmt.body);
  if (stmt.kind == StmtKind::kFor) return {true};
  Value condition = Evaluate(stmt.value);
  if (condition.As<Tensor>() || condition.As<int64_t>())
    condition = CallOperator("aten::Bool", {{std::move(condition)}, {}}, stmt.value);
  return condition;
}

Interpreter::Flow Interpreter::ExecuteFor(const Stmt& stmt) {
  DoubtAssigned(stmt.body);  // carried
  const Expr* range = TripCount(stmt);
  if (!range) BadCode(stmt.value, "the compiler writes `for` with `range` of a number only");
  Value count = Evaluate(*range);
  if (count.As<Tensor>()) count = CallOperator("aten::Int", {{std::move(count)}, {}}, *range);
  LocateAt(stmt.offset);
  const auto* known = count.As<int64_t>();
  const auto* number = count.As<Number>();
  if (!known && (!IsUsable(count, "the number of iterations") || !number || tracer_.IsFailed(number->id))) {
    if (!number && !count.As<Missing>()) BadCode(stmt.value, fmt::format("{} is no number", KindOf(count)));
    ForgetAssigned(stmt.body);
    return Flow::kNext;
  }
  if (known && *known <= kUnrollAlways && iterations_ < kUnrollFreely) return Unroll(stmt, *known);
  LoopTracer loop(this, stmt, {.trip_count = LeafArg(count)});
  if (loop.Run()) return Flow::kNext;
  if (known) return Unroll(stmt, *known);
  FailLoop(stmt, loop.why());
  return Flow::kNext;
}

Interpreter::Flow Interpreter::Unroll(const Stmt& stmt, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    CountIteration(stmt);
    Iterate(stmt, {i});
  }
  return Flow::kNext;
}

void Interpreter::FailLoop(const Stmt& stmt, const std::string& why) {
  LocateAt(stmt.offset);
  tracer_.Fail("", fmt::format("a loop that a run decides cannot be an ONNX Loop: {}{}", why, loop_hint_));
  ForgetAssigned(stmt.body);
}

// Looks one iteration ahead.
bool Interpreter::NextConditionIsKnown(const Stmt& stmt) {
  const Speculation speculation(this);
  try {
    return Iterate(stmt, {None{}}).As<bool>() != nullptr;
  } catch (const Refusal& raised) {
    if (!IsRaised(raised)) throw;
    return true;  // the iteration itself says so
  }
}

Interpreter::Flow Interpreter::ExecuteWhile(const Stmt& stmt) {
  DoubtAssigned(stmt.body);  // carried
  Value condition = Evaluate(stmt.value);
  if (condition.As<Tensor>() || condition.As<int64_t>())
    condition = CallOperator("aten::Bool", {{std::move(condition)}, {}}, stmt.value);
  bool unrolls = false;
  while (true) {
    LocateAt(stmt.offset);
    const auto* known = condition.As<bool>();
    const auto* number = condition.As<Number>();
    if (known && !*known) return Flow::kNext;
    if (!known && (!IsUsable(condition, "the condition") || !number || tracer_.IsFailed(number->id))) {
      if (!number && !condition.As<Missing>())
        BadCode(stmt.value, fmt::format("{} is no condition", KindOf(condition)));
      ForgetAssigned(stmt.body);
      return Flow::kNext;
    }
    if (!known || (!unrolls && !NextConditionIsKnown(stmt))) {
      LoopTracer loop(this, stmt, {.condition = LeafArg(condition)});
      if (loop.Run()) return Flow::kNext;
      if (!known) {
        FailLoop(stmt, loop.why());
        return Flow::kNext;
      }
    } else {
      unrolls = true;
    }
    CountIteration(stmt);
    condition = Iterate(stmt, {None{}});
  }
}

}  // namespace onnxport::torchscript
