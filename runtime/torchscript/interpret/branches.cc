// `if`: one side when the condition is known, otherwise both and ONNX If.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <span>
#include <unordered_set>
#include <utility>

#include "runtime/torchscript/interpret/builtins/wrapped_numbers.h"
#include "runtime/torchscript/interpret/control/joiner.h"
#include "runtime/torchscript/interpret/interpreter.h"
#include "runtime/torchscript/interpret/values/leaves.h"

namespace onnxport::torchscript {
namespace {

bool IsRaise(const Expr& value) {
  if (value.kind != ExprKind::kCall || value.operands[0].kind != ExprKind::kAttribute) return false;
  const Expr& callee = value.operands[0];
  return callee.text == "RaiseException" && callee.operands[0].kind == ExprKind::kAttribute &&
         callee.operands[0].text == "prim" && callee.operands[0].operands[0].text == "ops";
}

// Whether running the statements can only end in an exception.
bool AlwaysRaises(const StmtList& body) {
  return std::ranges::any_of(body, [](const Stmt& stmt) {
    if (stmt.kind == StmtKind::kIf) return AlwaysRaises(stmt.body) && AlwaysRaises(stmt.orelse);
    return (stmt.kind == StmtKind::kExpression || stmt.kind == StmtKind::kAssign) && IsRaise(stmt.value);
  });
}

void AssignedNames(const StmtList& body, std::set<std::string>* names) {
  for (const Stmt& stmt : body) {
    for (const Expr& target : stmt.targets) {
      if (target.kind == ExprKind::kName) names->insert(target.text);
    }
    AssignedNames(stmt.body, names);
    AssignedNames(stmt.orelse, names);
  }
}

bool Reads(const Expr& expr, const std::string& name) {
  if (expr.kind == ExprKind::kName && expr.text == name) return true;
  return std::ranges::any_of(expr.operands, [&](const Expr& operand) { return Reads(operand, name); });
}

bool Reads(std::span<const Stmt> body, const std::string& name) {
  return std::ranges::any_of(body, [&](const Stmt& stmt) {
    return Reads(stmt.value, name) || Reads(stmt.body, name) || Reads(stmt.orelse, name);
  });
}

// Whether what two sides left could not be made one value.
bool IsTorn(const Value& joined) {
  std::vector<const Value*> open = {&joined};
  std::unordered_set<const TupleValue*> seen;  // one tuple may be held in many ways
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

// Whether it does no more than name what the function gives.
bool IsNamed(const Expr& expr) {
  return expr.kind == ExprKind::kName || (expr.kind == ExprKind::kTuple && std::ranges::all_of(expr.operands, IsNamed));
}

// What two sides changed, side by side, in the order of the first side and then the second.
template <typename Key>
class Pairs {
 public:
  struct Entry {
    Key key;
    const Value* then = nullptr;
    const Value* otherwise = nullptr;
  };
  Entry& For(const Key& key) {
    const auto [found, is_new] = index_.try_emplace(key, entries_.size());
    if (is_new) entries_.push_back({key, nullptr, nullptr});
    return entries_[found->second];
  }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
  std::map<Key, size_t> index_;
};

struct CellSides {
  CellPtr cell;
  const Cell* then = nullptr;
  const Cell* otherwise = nullptr;
};

std::vector<CellSides> PairCells(const std::vector<Heap::Change>& then, const std::vector<Heap::Change>& otherwise) {
  std::vector<CellSides> pairs;
  std::map<const Cell*, size_t> index;
  for (const Heap::Change& change : then) {
    index[change.cell.get()] = pairs.size();
    pairs.push_back({change.cell, &change.after, &change.before});
  }
  for (const Heap::Change& change : otherwise) {
    const auto [found, is_new] = index.try_emplace(change.cell.get(), pairs.size());
    if (is_new) pairs.push_back({change.cell, &change.before, nullptr});
    pairs[found->second].otherwise = &change.after;
  }
  return pairs;
}

}  // namespace

Interpreter::Flow Interpreter::ExecuteIf(const Stmt& stmt, std::span<const Stmt> rest) {
  Value condition = Assumed(Evaluate(stmt.value));
  if (condition.As<Tensor>() || condition.As<int64_t>())
    condition = CallOperator("aten::Bool", {{std::move(condition)}, {}}, stmt.value);
  if (const auto* known = condition.As<bool>()) {
    const StmtList& side = *known ? stmt.body : stmt.orelse;
    const Flow flow = ExecuteAll(side);
    DoubtAssigned(side);
    return flow;
  }
  LocateAt(stmt.offset);
  const auto* number = condition.As<Number>();
  if (!IsUsable(condition, "the condition") || !number || tracer_.IsFailed(number->id)) {
    if (!number && !condition.As<Missing>()) BadCode(stmt.value, fmt::format("{} is no condition", KindOf(condition)));
    ForgetAssigned(stmt.body);
    ForgetAssigned(stmt.orelse);
    return Flow::kNext;
  }
  const bool then_raises = AlwaysRaises(stmt.body);
  const bool otherwise_raises = AlwaysRaises(stmt.orelse);
  if (then_raises || otherwise_raises) {
    // When both do, running one raises what the report says.
    if (then_raises != otherwise_raises) DropRaisingSide(then_raises ? stmt.body : stmt.orelse, stmt);
    return ExecuteAll(then_raises ? stmt.orelse : stmt.body);
  }
  return Branch(stmt, rest, number->id);
}

Value Interpreter::Assumed(Value value) const {
  const auto* number = value.As<Number>();
  const auto known = number ? assumed_.find(number->id) : assumed_.end();
  return known == assumed_.end() ? std::move(value) : Value{known->second};
}

void Interpreter::ForgetAssigned(const StmtList& body) {
  std::set<std::string> names;
  AssignedNames(body, &names);
  for (const std::string& name : names) activation_->frame.Set(name, {Missing{.reason = "", .reported = true}});
}

void Interpreter::DoubtAssigned(const StmtList& body) {
  if (constants_.empty()) return;
  std::set<std::string> names;
  AssignedNames(body, &names);
  for (const std::string& name : names) {
    const Value* value = activation_->frame.Find(name);
    const auto* tensor = value ? value->As<Tensor>() : nullptr;
    if (tensor && tensor->wraps == Wraps::kYes) activation_->frame.Set(name, Doubted(*value));
  }
}

void Interpreter::DropRaisingSide(const StmtList& side, const Stmt& stmt) {
  std::string message;
  for (const Stmt& part : side) {
    if (!IsRaise(part.value) || part.value.operands.size() < 2) continue;
    const Expr& text = part.value.operands[1];
    const Value* variable = text.kind == ExprKind::kName ? activation_->frame.Find(text.text) : nullptr;
    if (text.kind == ExprKind::kString) message = text.text;
    if (variable && variable->As<std::string>()) message = *variable->As<std::string>();
  }
  Remark(stmt.offset, "a check that only a run can make is not part of the ONNX model" +
                          (message.empty() ? std::string() : fmt::format(" (\"{}\")", message)));
}

Interpreter::Side Interpreter::RunSide(std::span<const Stmt> body, std::span<const Stmt> rest, ir::ValueId condition,
                                       bool truth) {
  Side side;
  side.mark = heap_.NewSerial();
  Activation& activation = *activation_;
  const int split = rest.empty() ? 0 : 1;
  Speculation speculation(this);
  assumed_[condition] = truth;
  splits_ += split;
  activation.blocks += split;  // the `return` at the end of `rest` is in its place
  try {
    ExecuteAll(body);
    side.flow = ExecuteAll(rest);
  } catch (const Refusal& raised) {
    if (!IsRaised(raised)) throw;
    side.raised = raised.what();
  }
  activation.blocks -= split;
  splits_ -= split;
  assumed_.erase(condition);
  side.result = std::exchange(activation.result, std::nullopt);
  side.outcome = speculation.End();
  return side;
}

Interpreter::Flow Interpreter::Branch(const Stmt& stmt, std::span<const Stmt> rest, ir::ValueId condition) {
  constexpr int kMaxTries = 8;   // each makes one more list a sequence
  constexpr int kMaxSplits = 4;  // each doubles what comes after it
  std::span<const Stmt> inside;  // what comes after the `if`, when it is traced on both sides
  for (int tries = 0;; ++tries) {
    Side then = RunSide(stmt.body, inside, condition, true);
    Side otherwise;
    if (!then.raised) otherwise = RunSide(stmt.orelse, inside, condition, false);
    if (then.raised || otherwise.raised) {
      Remark(stmt.offset, fmt::format("a check that only a run can make is not part of the ONNX model ({})",
                                      then.raised ? *then.raised : *otherwise.raised));
      return ExecuteAll(then.raised ? stmt.orelse : stmt.body);
    }
    if (tries < kMaxTries && MakeSequences(then.outcome, otherwise.outcome)) continue;
    if (inside.empty() && splits_ < kMaxSplits && IsTornBetween(then, otherwise, rest, condition)) {
      inside = rest;
      continue;
    }
    LocateAt(stmt.offset);
    const Flow flow = then.flow;
    JoinSides(condition, std::move(then), std::move(otherwise));
    return !inside.empty() && flow == Flow::kNext ? Flow::kRestDone : flow;
  }
}

bool Interpreter::IsTornBetween(const Side& then, const Side& otherwise, std::span<const Stmt> rest,
                                ir::ValueId condition) {
  // Nothing can be gained.
  if (rest.empty() || (rest.front().kind == StmtKind::kReturn && IsNamed(rest.front().value))) return false;
  Pairs<std::string> variables;
  for (const Frame::Change& change : then.outcome.variables) variables.For(change.name).then = &change.after;
  for (const Frame::Change& change : otherwise.outcome.variables) variables.For(change.name).otherwise = &change.after;
  return std::ranges::any_of(variables.entries(), [&](const auto& entry) {
    const Value* old = activation_->frame.Find(entry.key);
    const Value* side = entry.then ? entry.then : old;
    const Value* other = entry.otherwise ? entry.otherwise : old;
    if (!side || !other || side->template As<Missing>() || other->template As<Missing>()) return false;
    Joiner joiner(&heap_, tracer_, condition, then.mark);
    const bool torn = IsTorn(joiner.Join(*side, *other, entry.key));
    const bool fits = std::ranges::all_of(
        joiner.pairs(), [&](const auto& pair) { return tracer_.CanJoin(condition, pair.then, pair.otherwise); });
    return (torn || !fits) && Reads(rest, entry.key);
  });
}

// Lists that have other lengths on the two sides become sequences, before the `if`.
bool Interpreter::MakeSequences(const Speculation::Outcome& then, const Speculation::Outcome& otherwise) {
  bool made = false;
  for (const CellSides& sides : PairCells(then.cells, otherwise.cells)) {
    if (sides.cell->kind != Cell::Kind::kList || sides.cell->sequence != ir::ValueId::kNone) continue;
    const bool dynamic = sides.then->is_dynamic() || sides.otherwise->is_dynamic();
    if (!dynamic && sides.then->items.size() == sides.otherwise->items.size()) continue;
    const Cell& longer = sides.then->items.size() > sides.otherwise->items.size() ? *sides.then : *sides.otherwise;
    made |= MakeSequence(sides.cell, longer.items.empty() ? std::nullopt : LeafType(longer.items.back(), tracer_));
  }
  return made;
}

Interpreter::Joined Interpreter::JoinAll(const Side& then, const Side& otherwise, Joiner* joiner) const {
  Pairs<std::string> variables;
  if (then.flow != Flow::kReturn) {  // afterwards nobody reads them
    for (const Frame::Change& change : then.outcome.variables) variables.For(change.name).then = &change.after;
    for (const Frame::Change& change : otherwise.outcome.variables)
      variables.For(change.name).otherwise = &change.after;
  }
  Joined joined;
  if (then.result && otherwise.result) joined.result = joiner->Join(*then.result, *otherwise.result, "the result");
  for (const auto& entry : variables.entries()) {
    const Value* old = activation_->frame.Find(entry.key);
    const Value* side = entry.then ? entry.then : old;
    const Value* other = entry.otherwise ? entry.otherwise : old;
    joined.variables.emplace_back(
        entry.key, side && other
                       ? joiner->Join(*side, *other, entry.key)
                       : Value{Missing{.reason = fmt::format("`{}` is set on one side of an `if` that a run decides",
                                                             entry.key)}});
  }
  for (const CellSides& sides : PairCells(then.outcome.cells, otherwise.outcome.cells)) {
    Cell contents = *sides.cell;
    const std::string path = sides.cell->path.empty() ? "a container" : sides.cell->path;
    std::string why;
    if (!joiner->JoinContents(*sides.then, *sides.otherwise, path, &contents, &why)) joined.problems.push_back(why);
    joined.cells.emplace_back(sides.cell, std::move(contents));
  }
  return joined;
}

// Walks what the two sides left twice: first to pair the leaves, then, with the results of the If, to put them
// together.
void Interpreter::JoinSides(ir::ValueId condition, Side then, Side otherwise) {
  Joiner joiner(&heap_, tracer_, condition, then.mark);
  JoinAll(then, otherwise, &joiner);
  const auto matters = [](const trace::Region& region) {
    return region.failed || region.doubts || !region.writes.empty();
  };
  trace::Region& region = then.outcome.region;
  trace::Region& other_region = otherwise.outcome.region;
  std::vector<ir::Arg> results;
  if (!joiner.pairs().empty() || matters(region) || matters(other_region)) {
    results =
        tracer_.If({.condition = {condition}, .results = joiner.pairs()}, std::move(region), std::move(other_region));
  }
  for (size_t i = 0; i < results.size(); ++i) {
    const auto& [side, other, type] = joiner.pairs()[i];
    if (side.value() && other.value() && results[i].value() &&
        !quantized_.Join(*side.value(), *other.value(), *results[i].value()))
      tracer_.Fail("", "an `if` that a run decides gives tensors that are quantized in two ways");
  }
  joiner.SetResults(std::move(results));
  Joined joined = JoinAll(then, otherwise, &joiner);
  for (const std::string& problem : joined.problems) tracer_.Fail("", problem);
  for (auto& [name, value] : joined.variables) activation_->frame.Set(name, Doubted(std::move(value)));
  for (auto& [cell, contents] : joined.cells) heap_.Edit(cell) = std::move(contents);
  activation_->result = std::move(joined.result);
}

}  // namespace onnxport::torchscript
