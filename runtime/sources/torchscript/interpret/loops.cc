// Loops are unrolled or become an ONNX Loop. A `for` with a small known count is unrolled. Then its iterations may
// differ in types and in known values, as in a loop over layers. With a larger count it becomes a Loop if possible,
// else it is unrolled. A loop whose count is known only at run time becomes a Loop, or fails. A limit on all iterations
// together stops endless programs.
#include "runtime/sources/torchscript/interpret/loops.h"

#include <fmt/format.h>

#include "runtime/base/error.h"
#include "runtime/sources/torchscript/interpret/assigned.h"
#include "runtime/sources/torchscript/interpret/values/leaves.h"
#include "runtime/sources/torchscript/interpret/values/refusal.h"

namespace onnxport::torchscript {
namespace {

// Unrolling keeps all known facts: indices, lengths, types that change between iterations. A Loop keeps the model
// small. So loops with few iterations are unrolled, and others only if a Loop is impossible.
constexpr int64_t kUnrollAlways = 64;      // iterations of a loop; more only when ONNX Loop cannot do it
constexpr int64_t kUnrollFreely = 20'000;  // iterations of all loops together; likewise
constexpr int64_t kMaxUnrolled = 200'000;  // iterations of all loops together

// LibTorch's compiler writes only this form. Loops over lists are loops over their indices.
const Expr* TripCount(const Stmt& stmt) {
  const Expr& range = stmt.value;
  const bool is_range = range.kind == ExprKind::kCall && range.operands.size() == 2 &&
                        range.operands[0].kind == ExprKind::kName && range.operands[0].text == "range";
  return is_range && stmt.targets.size() == 1 && stmt.targets[0].kind == ExprKind::kName ? &range.operands[1] : nullptr;
}

}  // namespace

void Loops::CountIteration(const Stmt& stmt) {
  if (++iterations_ <= kMaxUnrolled) return;
  const char* why = stmt.kind == StmtKind::kWhile ? ": the condition of this one is known and still true" : "";
  throw Error(onnxport::Code::kTooManySteps,
              fmt::format("{}: loops unroll to more than {} iterations{}; a count that each run gives "
                          "(<<inputs: n=i64[]>>) makes a loop of the model",
                          run_.calls().Place(stmt.offset), kMaxUnrolled, why));
}

Value Loops::Iterate(const Stmt& stmt, const Value& iteration) {
  if (stmt.kind == StmtKind::kFor) run_.EditFrame().Set(stmt.targets[0].text, iteration);
  if (code_.ExecuteAll(stmt.body) == Flow::kReturn)
    BadCode(stmt.value, "`return` inside a loop; the compiler writes none", run_);
  DoubtAssigned(stmt.body, &run_);
  if (stmt.kind == StmtKind::kFor) return {true};
  return operators_.Truth(evaluator_.Evaluate(stmt.value), stmt.value);
}

LoopTracer Loops::TracerOf(const Stmt& stmt, ir::LoopSpec loop, int64_t first) {
  return {parts_, stmt, std::move(loop), [this, &stmt, first](const Value& iteration) {
            if (first == 0) return Iterate(stmt, iteration);
            return Iterate(stmt, operators_.Call("aten::add", {{iteration, {first}}, {}}, stmt.value));
          }};
}

// `h = None` before the loop, and a tensor after each iteration: the first iteration is made before the Loop, which has
// the others. Only where there is one, as `h` stays None without. False: the Loop cannot be made.
bool Loops::MakeFirstAlone(const Stmt& stmt, const Value& count, const Expr& range) {
  const Value is_some = operators_.Call("aten::gt", {{count, {int64_t{0}}}, {}}, range);
  const auto* known = is_some.As<bool>();
  if (known == nullptr || !*known) return false;
  const Value rest = operators_.Call("aten::sub", {{count, {int64_t{1}}}, {}}, range);
  CountIteration(stmt);
  Iterate(stmt, {int64_t{0}});
  LocateAt(stmt.offset, &run_);
  return TracerOf(stmt, {.trip_count = LeafArg(rest)}, 1).Run();
}

Flow Loops::ExecuteFor(const Stmt& stmt) {
  // Before the first iteration, because values that the body assigns may come from the previous iteration.
  DoubtAssigned(stmt.body, &run_);  // carried
  const Expr* range = TripCount(stmt);
  if (!range) BadCode(stmt.value, "the compiler writes `for` with `range` of a number only", run_);
  Value count = evaluator_.Evaluate(*range);
  if (count.As<Tensor>()) count = operators_.Call("aten::Int", {{std::move(count)}, {}}, *range);
  LocateAt(stmt.offset, &run_);
  const auto* known = count.As<int64_t>();
  // The failed computation was reported. Variables that the loop would have changed become unknown.
  if (!known && !RunNumber(count, "the number of iterations", "number", stmt.value, &run_)) {
    ForgetAssigned(stmt.body, &run_);
    return Flow::kNext;
  }
  // After many iterations were unrolled, even small loops are tried as Loops, because nested loops multiply.
  if (known && *known <= kUnrollAlways && iterations_ < kUnrollFreely) return Unroll(stmt, *known);
  LoopTracer loop = TracerOf(stmt, {.trip_count = LeafArg(count)});
  if (loop.Run()) return Flow::kNext;
  // There are too many iterations to unroll freely, but a Loop is impossible. A large model is better than none.
  if (known) return Unroll(stmt, *known);
  if (loop.needs_first_iteration() && MakeFirstAlone(stmt, count, *range)) return Flow::kNext;
  FailLoop(stmt, loop.why());
  return Flow::kNext;
}

Flow Loops::Unroll(const Stmt& stmt, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    CountIteration(stmt);
    Iterate(stmt, {i});
  }
  return Flow::kNext;
}

void Loops::FailLoop(const Stmt& stmt, const std::string& why) {
  LocateAt(stmt.offset, &run_);
  run_.EditTracer().Fail("", {onnxport::Code::kLoopDoesNotFit,
                              fmt::format("a loop decided at run time cannot be an ONNX Loop: {}{}", why, hint_)});
  ForgetAssigned(stmt.body, &run_);
}

// Traces one iteration in advance. In `more = True; while more: more = bool(x.sum() > n)` the condition is known once
// and never again. Then the whole loop becomes a Loop, not only the rest after the first iteration.
bool Loops::NextConditionIsKnown(const Stmt& stmt) {
  const Speculation speculation(&run_);
  try {
    return Iterate(stmt, {None{}}).As<bool>() != nullptr;
  } catch (const Refusal& raised) {
    if (!IsRaised(raised)) throw;
    return true;  // the iteration reports that itself
  }
}

Flow Loops::ExecuteWhile(const Stmt& stmt) {
  DoubtAssigned(stmt.body, &run_);  // carried
  Value condition = operators_.Truth(evaluator_.Evaluate(stmt.value), stmt.value);
  bool unrolls = false;
  while (true) {
    LocateAt(stmt.offset, &run_);
    const auto* known = condition.As<bool>();
    if (known && !*known) return Flow::kNext;
    if (!known && !RunNumber(condition, "the condition", "condition", stmt.value, &run_)) {
      ForgetAssigned(stmt.body, &run_);
      return Flow::kNext;
    }
    // A condition that is known now may be unknown later. This is checked once, before the first iteration. While it is
    // known, the loop is unrolled, one iteration after another.
    if (!known || (!unrolls && !NextConditionIsKnown(stmt))) {
      LoopTracer loop = TracerOf(stmt, {.condition = LeafArg(condition)});
      if (loop.Run()) return Flow::kNext;
      if (!known) {
        FailLoop(stmt, loop.why());
        return Flow::kNext;
      }
    } else {
      unrolls = true;
    }
    // It is unrolled, or a Loop failed although the condition is known. So make one iteration, and decide again.
    CountIteration(stmt);
    condition = Iterate(stmt, {None{}});
  }
}

}  // namespace onnxport::torchscript
