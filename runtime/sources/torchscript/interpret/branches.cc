#include "runtime/sources/torchscript/interpret/branches.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "runtime/sources/torchscript/interpret/assigned.h"
#include "runtime/sources/torchscript/interpret/builtins/wrapped_numbers.h"
#include "runtime/sources/torchscript/interpret/control/changes.h"
#include "runtime/sources/torchscript/interpret/control/joiner.h"
#include "runtime/sources/torchscript/interpret/holders.h"
#include "runtime/sources/torchscript/interpret/values/leaves.h"
#include "runtime/sources/torchscript/interpret/values/refusal.h"
#include "runtime/sources/torchscript/interpret/values/values.h"
#include "runtime/sources/torchscript/syntax/analysis.h"

namespace onnxport::torchscript {
namespace {

// Returns true if the values of the two sides could not be joined.
bool IsTorn(const Value& joined) {
  std::vector<const Value*> open = {&joined};
  std::unordered_set<const TupleValue*> seen;  // a tuple may be reachable in many ways
  while (!open.empty()) {
    const Value& value = *open.back();
    open.pop_back();
    const auto* missing = value.As<Missing>();
    if (missing && !missing->reported && !missing->unset) return true;
    const auto* tuple = value.As<TuplePtr>();
    if (!tuple || !seen.insert(tuple->get()).second) continue;
    for (const Value& item : (*tuple)->items) open.push_back(&item);
  }
  return false;
}

// Returns true if it only names the function's result.
bool IsNamed(const Expr& expr) {
  return expr.kind == ExprKind::kName || (expr.kind == ExprKind::kTuple && std::ranges::all_of(expr.operands, IsNamed));
}

}  // namespace

Flow Branches::Execute(const Stmt& stmt, std::span<const Stmt> rest) {
  const Value condition = operators_.Truth(assumptions_.Apply(evaluator_.Evaluate(stmt.value)), stmt.value);
  if (const auto* known = condition.As<bool>()) {
    const StmtList& side = *known ? stmt.body : stmt.orelse;
    const Flow flow = code_.ExecuteAll(side);
    DoubtAssigned(side, &run_);
    return flow;
  }
  LocateAt(stmt.offset, &run_);
  const Number* number = RunNumber(condition, "the condition", "condition", stmt.value, &run_);
  if (!number) {
    ForgetAssigned(stmt.body, &run_);
    ForgetAssigned(stmt.orelse, &run_);
    return Flow::kNext;
  }
  const bool then_raises = AlwaysRaises(stmt.body);
  const bool otherwise_raises = AlwaysRaises(stmt.orelse);
  if (then_raises || otherwise_raises) {
    // If both raise, running one of them raises the reported error.
    if (then_raises != otherwise_raises) DropRaisingSide(then_raises ? stmt.body : stmt.orelse, stmt);
    return code_.ExecuteAll(then_raises ? stmt.orelse : stmt.body);
  }
  return Branch(stmt, rest, number->id);
}

void Branches::DropRaisingSide(const StmtList& side, const Stmt& stmt) {
  std::string message;
  for (const Stmt& part : side) {
    if (!IsRaise(part.value) || part.value.operands.size() < 2) continue;
    const Expr& text = part.value.operands[1];
    const Value* variable = text.kind == ExprKind::kName ? run_.frame().Find(text.text) : nullptr;
    if (text.kind == ExprKind::kString) message = text.text;
    if (variable && variable->As<std::string>()) message = *variable->As<std::string>();
  }
  Remark(stmt.offset,
         "a check that can only be made at run time is not part of the ONNX model" +
             (message.empty() ? std::string() : fmt::format(" (\"{}\")", message)),
         &run_);
}

namespace {

// A count that is higher while this lives.
class Higher {
 public:
  Higher(int* count, int by) : count_(count), by_(by) { *count_ += by_; }
  ~Higher() { *count_ -= by_; }
  Higher(const Higher&) = delete;
  Higher& operator=(const Higher&) = delete;

 private:
  int* count_;
  int by_;
};

}  // namespace

Branches::Side Branches::RunSide(std::span<const Stmt> body, std::span<const Stmt> rest, ir::ValueId condition,
                                 bool truth, const Lists& lists) {
  Side side;
  side.mark = run_.EditHeap().NewSerial();
  Activation& activation = run_.EditCalls().EditTop();
  const int split = rest.empty() ? 0 : 1;
  Speculation speculation(&run_);
  const Assumptions::Open known(&assumptions_, condition, truth);
  {
    // The `return` at the end of `rest` is allowed here. This is undone for any exception, because a caller may
    // continue.
    const Higher splits(&splits_, split);
    const Higher blocks(&activation.blocks, split);
    try {
      code_.ExecuteAll(body);
      side.flow = code_.ExecuteAll(rest);
      MakeSequences(lists, activation.result);
    } catch (const Refusal& raised) {
      if (!IsRaised(raised)) throw;
      side.raised = raised.what();
    }
  }
  side.result = std::exchange(activation.result, std::nullopt);
  side.outcome = speculation.End();
  // The side may raise only because a call could not be traced. Then that failure counts.
  if (side.outcome.region.failed) side.raised.reset();
  return side;
}

Flow Branches::Branch(const Stmt& stmt, std::span<const Stmt> rest, ir::ValueId condition) {
  constexpr int kMaxTries = 8;   // each makes one more list a sequence
  constexpr int kMaxSplits = 4;  // each doubles the code after it
  std::span<const Stmt> inside;  // the statements after the `if`, if they are traced on both sides
  Lists lists;
  for (int tries = 0;; ++tries) {
    Side then = RunSide(stmt.body, inside, condition, true, lists);
    Side otherwise;
    if (!then.raised) otherwise = RunSide(stmt.orelse, inside, condition, false, lists);
    if (then.raised || otherwise.raised) {
      Remark(stmt.offset,
             fmt::format("a check that can only be made at run time is not part of the ONNX model ({})",
                         then.raised ? *then.raised : *otherwise.raised),
             &run_);
      return code_.ExecuteAll(then.raised ? stmt.orelse : stmt.body);
    }
    // If the start of the sides changes, both are run again. Lists come first: a list with different lengths would look
    // torn, and running the rest on both sides doubles the model from here on.
    if (tries < kMaxTries && MakeSequences(then.outcome, otherwise.outcome)) continue;
    if (inside.empty() && splits_ < kMaxSplits && IsTornBetween(then, otherwise, rest, condition)) {
      inside = rest;
      continue;
    }
    if (tries < kMaxTries && AddLists(then, otherwise, inside.empty() ? stmt.offset : inside.back().offset, &lists))
      continue;
    LocateAt(stmt.offset, &run_);
    const Flow flow = then.flow;
    JoinSides(stmt, condition, std::move(then), std::move(otherwise));
    return !inside.empty() && flow == Flow::kNext ? Flow::kRestDone : flow;
  }
}

bool Branches::IsTornBetween(const Side& then, const Side& otherwise, std::span<const Stmt> rest,
                             ir::ValueId condition) {
  // This would not help.
  if (rest.empty() || (rest.front().kind == StmtKind::kReturn && IsNamed(rest.front().value))) return false;
  const std::vector<VariableSides> variables = PairVariables(then.outcome.variables, otherwise.outcome.variables);
  const std::vector<CellSides> cells = PairCells(then.outcome.cells, otherwise.outcome.cells);
  const bool torn_cell = std::ranges::any_of(cells, [&](const CellSides& sides) {
    Joiner joiner(&run_.EditHeap(), run_.tracer(), condition, then.mark);
    joiner.SetContents(cells);
    Cell contents;
    std::string why;
    return !joiner.JoinContents(*sides.then, *sides.otherwise, "", &contents, &why);
  });
  if (torn_cell) return true;
  return std::ranges::any_of(variables, [&](const VariableSides& entry) {
    if (!entry.then || !entry.otherwise || entry.then->As<Missing>() || entry.otherwise->As<Missing>()) return false;
    Joiner joiner(&run_.EditHeap(), run_.tracer(), condition, then.mark);
    joiner.SetContents(cells);
    const bool torn = IsTorn(joiner.Join(*entry.then, *entry.otherwise, entry.name));
    const bool fits = std::ranges::all_of(joiner.pairs(), [&](const auto& pair) {
      return run_.EditTracer().regions().CanJoin(condition, pair.then, pair.otherwise);
    });
    return (torn || !fits) && Reads(rest, entry.name);
  });
}

// Turns lists with different lengths on the two sides into sequences, before the `if`.
bool Branches::MakeSequences(const Speculation::Outcome& then, const Speculation::Outcome& otherwise) {
  bool made = false;
  for (const CellSides& sides : PairCells(then.cells, otherwise.cells)) {
    if (sides.cell->kind != Cell::Kind::kList || sides.cell->sequence != ir::ValueId::kNone) continue;
    const bool dynamic = sides.then->is_dynamic() || sides.otherwise->is_dynamic();
    if (!dynamic && sides.then->items.size() == sides.otherwise->items.size()) continue;
    std::optional<ir::Value> element;  // unknown for an empty list
    for (const Cell* side : {sides.then, sides.otherwise}) {
      if (side->sequence != ir::ValueId::kNone) element = run_.tracer().TypeOf(side->sequence);
      if (!side->items.empty()) element = LeafType(side->items.back(), run_.tracer());
    }
    made |= sequences_.MakeSequence(sides.cell, element);
  }
  return made;
}

bool Branches::HaveOtherLengths(const Value& then, const Value& otherwise, std::optional<ir::Value>* element) const {
  const CellPtr* list = AsList(then);
  const CellPtr* other = AsList(otherwise);
  if (!list || !other) return false;
  if ((*list)->sequence != ir::ValueId::kNone && (*other)->sequence != ir::ValueId::kNone) return false;
  if (!(*list)->is_dynamic() && !(*other)->is_dynamic() && (*list)->items.size() == (*other)->items.size())
    return false;
  for (const CellPtr& side : {*list, *other}) {
    for (const Value& item : side->items) {
      if (!IsLeaf(item) || grids_.Of(item)) return false;
      *element = LeafType(item, run_.tracer());
      if (!*element) return false;
    }
  }
  return true;
}

bool Branches::AddLists(const Side& then, const Side& otherwise, Offset last, Lists* lists) const {
  bool added = false;
  const auto add = [&](const std::string& name, const Value& one, const Value& other) {
    std::optional<ir::Value> element;
    if (!HaveOtherLengths(one, other, &element)) return;
    // Last, because it reads all later code, and a program may have any number of ifs. The result has no name.
    if (!name.empty() && !IsReadAfter(last, run_.calls().top(), name)) return;
    added |= lists->try_emplace(name, std::move(element)).second;
  };
  if (then.result && otherwise.result) add("", *then.result, *otherwise.result);
  if (then.flow == Flow::kReturn) return added;  // nothing reads variables afterwards
  for (const VariableSides& sides : PairVariables(then.outcome.variables, otherwise.outcome.variables)) {
    if (sides.then && sides.otherwise) add(sides.name, *sides.then, *sides.otherwise);
  }
  return added;
}

void Branches::MakeSequences(const Lists& lists, const std::optional<Value>& result) {
  for (const auto& [name, element] : lists) {
    const Value* value = name.empty() ? (result ? &*result : nullptr) : run_.frame().Find(name);
    const CellPtr* list = value ? AsList(*value) : nullptr;
    if (list) sequences_.MakeSequence(*list, element);
  }
}

bool Branches::IsForgotten(const Cell& cell, const Side& side) const {
  if (side.flow != Flow::kReturn || (side.result && Holds(*side.result, cell))) return false;
  return CountHolders(cell, run_.calls(), [](const std::string&) { return false; }) == 0;
}

Branches::Joined Branches::JoinAll(const Side& then, const Side& otherwise, Joiner* joiner) const {
  std::vector<VariableSides> variables;
  if (then.flow != Flow::kReturn)  // nothing reads them afterwards
    variables = PairVariables(then.outcome.variables, otherwise.outcome.variables);
  Joined joined;
  if (then.result && otherwise.result) joined.result = joiner->Join(*then.result, *otherwise.result, "the result");
  for (const VariableSides& entry : variables) {
    joined.variables.emplace_back(
        entry.name,
        entry.then && entry.otherwise
            ? joiner->Join(*entry.then, *entry.otherwise, entry.name)
            : Value{Missing{.reason = {onnxport::Code::kBranchesDiffer,
                                       fmt::format("`{}` is set on one side of {}", entry.name, joiner->decided())}}});
  }
  for (const CellSides& sides : PairCells(then.outcome.cells, otherwise.outcome.cells)) {
    if (IsForgotten(*sides.cell, then) && IsForgotten(*sides.cell, otherwise)) continue;
    Cell contents = *sides.cell;
    const std::string path = sides.cell->path.empty() ? "a container" : sides.cell->path;
    std::string why;
    if (!joiner->JoinContents(*sides.then, *sides.otherwise, path, &contents, &why)) joined.problems.push_back(why);
    joined.cells.emplace_back(sides.cell, std::move(contents));
  }
  return joined;
}

// Walks over the values of the two sides twice. The first walk pairs the leaves. The second one joins them with the
// results of the If.
void Branches::JoinSides(const Stmt& stmt, ir::ValueId condition, Side then, Side otherwise) {
  Joiner joiner(&run_.EditHeap(), run_.tracer(), condition, then.mark, run_.calls().Place(stmt.offset));
  joiner.AllowOtherKeys();
  joiner.SetContents(PairCells(then.outcome.cells, otherwise.outcome.cells));
  JoinAll(then, otherwise, &joiner);
  const auto matters = [](const trace::Region& region) {
    return region.failed || region.doubts || !region.writes.empty();
  };
  trace::Region& region = then.outcome.region;
  trace::Region& other_region = otherwise.outcome.region;
  std::vector<ir::Arg> results;
  if (!joiner.pairs().empty() || matters(region) || matters(other_region)) {
    results = run_.EditTracer().regions().If({.condition = {condition}, .results = joiner.pairs()}, std::move(region),
                                             std::move(other_region));
  }
  for (size_t i = 0; i < results.size(); ++i) {
    const auto& [side, other, type] = joiner.pairs()[i];
    if (side.value() && other.value() && results[i].value() &&
        !grids_.Join(*side.value(), *other.value(), *results[i].value()))
      run_.EditTracer().Fail("", {onnxport::Code::kBranchesDiffer,
                                  "an `if` decided at run time gives tensors that are quantized in two ways"});
  }
  joiner.SetResults(std::move(results));
  Joined joined = JoinAll(then, otherwise, &joiner);
  for (const std::string& problem : joined.problems)
    run_.EditTracer().Fail("", {onnxport::Code::kBranchesDiffer, problem});
  for (auto& [name, value] : joined.variables) run_.EditFrame().Set(name, Doubted(std::move(value)));
  for (auto& [cell, contents] : joined.cells) run_.EditHeap().Edit(cell) = std::move(contents);
  run_.EditCalls().EditTop().result = std::move(joined.result);
}

}  // namespace onnxport::torchscript
