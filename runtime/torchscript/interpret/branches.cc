// `if`: one side when the condition is known, otherwise both and ONNX If.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "runtime/torchscript/interpret/interpreter.h"
#include "runtime/torchscript/interpret/joiner.h"
#include "runtime/torchscript/interpret/leaves.h"

namespace onnxport::torchscript {
namespace {

bool IsRaise(const Expr& value) {
  if (value.kind != ExprKind::kCall || value.operands[0].kind != ExprKind::kAttribute) return false;
  const Expr& callee = value.operands[0];
  return callee.text == "RaiseException" && callee.operands[0].kind == ExprKind::kAttribute &&
         callee.operands[0].text == "prim" && callee.operands[0].operands[0].text == "ops";
}

// Whether running the statements can only end in an exception.
bool AlwaysRaises(const std::vector<Stmt>& body) {
  return std::ranges::any_of(body, [](const Stmt& stmt) {
    if (stmt.kind == StmtKind::kIf) return AlwaysRaises(stmt.body) && AlwaysRaises(stmt.orelse);
    return (stmt.kind == StmtKind::kExpression || stmt.kind == StmtKind::kAssign) && IsRaise(stmt.value);
  });
}

void AssignedNames(const std::vector<Stmt>& body, std::set<std::string>* names) {
  for (const Stmt& stmt : body) {
    for (const Expr& target : stmt.targets) {
      if (target.kind == ExprKind::kName) names->insert(target.text);
    }
    AssignedNames(stmt.body, names);
    AssignedNames(stmt.orelse, names);
  }
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

Interpreter::Flow Interpreter::ExecuteIf(const Stmt& stmt) {
  Value condition = Evaluate(stmt.value);
  if (condition.As<Tensor>() || condition.As<int64_t>())
    condition = CallOperator("aten::Bool", {{std::move(condition)}, {}}, stmt.value);
  if (const auto* known = condition.As<bool>()) return ExecuteAll(*known ? stmt.body : stmt.orelse);
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
  return Branch(stmt, number->id);
}

void Interpreter::ForgetAssigned(const std::vector<Stmt>& body) {
  std::set<std::string> names;
  AssignedNames(body, &names);
  for (const std::string& name : names) activation_->frame.Set(name, {Missing{.reason = "", .reported = true}});
}

void Interpreter::DropRaisingSide(const std::vector<Stmt>& side, const Stmt& stmt) {
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

Interpreter::Side Interpreter::RunSide(const std::vector<Stmt>& body) {
  Side side;
  Speculation speculation(this);
  try {
    ExecuteAll(body);
  } catch (const Raised& raised) {
    side.raised = raised;
  }
  side.outcome = speculation.End();
  return side;
}

Interpreter::Flow Interpreter::Branch(const Stmt& stmt, ir::ValueId condition) {
  constexpr int kMaxTries = 8;  // each makes one more list a sequence
  for (int tries = 0;; ++tries) {
    Side then = RunSide(stmt.body);
    Side otherwise;
    if (!then.raised) otherwise = RunSide(stmt.orelse);
    if (then.raised || otherwise.raised) {
      Remark(stmt.offset, fmt::format("a check that only a run can make is not part of the ONNX model ({})",
                                      then.raised ? then.raised->text : otherwise.raised->text));
      return ExecuteAll(then.raised ? stmt.orelse : stmt.body);
    }
    if (tries < kMaxTries && MakeSequences(then.outcome, otherwise.outcome)) continue;
    LocateAt(stmt.offset);
    JoinSides(condition, std::move(then.outcome), std::move(otherwise.outcome));
    return Flow::kNext;
  }
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

void Interpreter::JoinSides(ir::ValueId condition, Speculation::Outcome then, Speculation::Outcome otherwise) {
  Pairs<std::string> variables;
  for (const Frame::Change& change : then.variables) variables.For(change.name).then = &change.after;
  for (const Frame::Change& change : otherwise.variables) variables.For(change.name).otherwise = &change.after;
  const std::vector<CellSides> cells = PairCells(then.cells, otherwise.cells);

  Joiner joiner(&heap_, tracer_);
  std::vector<std::pair<std::string, Value>> joined_variables;
  std::vector<std::pair<CellPtr, Cell>> joined_cells;
  std::vector<std::string> problems;
  const auto join_all = [&] {
    joined_variables.clear();
    joined_cells.clear();
    problems.clear();
    for (const auto& entry : variables.entries()) {
      const Value* old = activation_->frame.Find(entry.key);
      const Value* side = entry.then ? entry.then : old;
      const Value* other = entry.otherwise ? entry.otherwise : old;
      if (side && other) {
        joined_variables.emplace_back(entry.key, joiner.Join(*side, *other, entry.key));
      } else {
        joined_variables.emplace_back(
            entry.key,
            Value{Missing{.reason = fmt::format("`{}` is set on one side of an `if` that a run decides", entry.key)}});
      }
    }
    for (const CellSides& sides : cells) {
      Cell contents = *sides.cell;
      std::string why;
      if (!joiner.JoinContents(*sides.then, *sides.otherwise,
                               sides.cell->path.empty() ? "a container" : sides.cell->path, &contents, &why))
        problems.push_back(why);
      joined_cells.emplace_back(sides.cell, std::move(contents));
    }
  };
  join_all();
  const bool failed = then.piece.failed || otherwise.piece.failed;
  const bool writes = !then.piece.writes.empty() || !otherwise.piece.writes.empty();
  std::vector<ir::Arg> results;
  if (!joiner.pairs().empty() || failed || writes)
    results = tracer_.If(condition, std::move(then.piece), std::move(otherwise.piece), joiner.pairs());
  for (size_t i = 0; i < results.size(); ++i) {
    const auto& [side, other] = joiner.pairs()[i];
    if (side.value() && other.value() && results[i].value() &&
        !quantized_.Join(*side.value(), *other.value(), *results[i].value()))
      tracer_.Fail("", "an `if` that a run decides gives tensors that are quantized in two ways");
  }
  joiner.SetResults(std::move(results));
  join_all();
  for (const std::string& problem : problems) tracer_.Fail("", problem);
  for (auto& [name, value] : joined_variables) activation_->frame.Set(name, std::move(value));
  for (auto& [cell, contents] : joined_cells) heap_.Edit(cell) = std::move(contents);
}

}  // namespace onnxport::torchscript
