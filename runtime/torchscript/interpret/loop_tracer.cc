#include "runtime/torchscript/interpret/loop_tracer.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "runtime/torchscript/interpret/values/leaves.h"

namespace onnxport::torchscript {
namespace {

using Kind = Pattern::Kind;

constexpr int kMaxRounds = 16;  // types only widen, so few are needed

// An ONNX scan output needs elements of one shape: sizes that are unknown may differ between iterations.
bool HasOneShape(const ir::Value& type) {
  return type.dims && std::ranges::none_of(*type.dims, [](const ir::Dim& dim) { return dim.is_unknown(); });
}

bool IsUnset(const Value& value) {
  const auto* missing = value.As<Missing>();
  return missing && missing->unset;
}

}  // namespace

LoopTracer::LoopTracer(Interpreter* interpreter, const Stmt& stmt, ir::LoopSpec loop)
    : interpreter_(*interpreter),
      stmt_(stmt),
      loop_(std::move(loop)),
      patterns_(&interpreter->heap_, interpreter->tracer_) {}

bool LoopTracer::Run() {
  for (int round = 0; round < kMaxRounds; ++round) {
    Speculation::Outcome outcome = Trace();
    if (!why_.empty()) {
      if (!CheckScans()) return false;
      // The program looked at a list that was empty only because it was taken for a scan output.
      why_.clear();
      if (!PrepareSequences()) return false;
      continue;
    }
    if (outcome.region.failed) {
      LeaveFailed(std::move(outcome));
      return true;
    }
    bool again = Update(outcome);
    if (!why_.empty()) return false;
    again = again || CheckScans();
    if (again) {
      if (!PrepareSequences()) return false;
      continue;
    }
    if (Finish(std::move(outcome), &again)) return true;
    if (!again) return false;
  }
  why_ = "what the loop changes does not settle";
  return false;
}

Speculation::Outcome LoopTracer::Trace() {
  ir::Value number;
  number.kind = ir::ValueKind::kInt;
  number.dtype = ir::DType::kInt64;
  number.dims = ir::Dims{};
  loop_.next_condition = {};
  loop_.carried.clear();
  loop_.scans.clear();
  // Whatever the body does is undone by the end of the speculation; only its region remains.
  Speculation speculation(&interpreter_);
  ++interpreter_.scans_;
  loop_.iteration = interpreter_.tracer_.BlockInput(number);
  // Before writes are carried: those may be to memory that a block input shares (see Tracer::CarryWrites).
  for (Slot& slot : slots_) Enter(&slot);
  interpreter_.tracer_.CarryWrites(writes_);
  try {
    const Value goes_on = interpreter_.Iterate(stmt_, {Number{loop_.iteration}});
    loop_.next_condition = stmt_.kind == StmtKind::kWhile ? LeafArg(goes_on) : ir::Arg();
    MakeSequences();
  } catch (const Refusal& raised) {
    if (!IsRaised(raised)) throw;
    why_ = raised.what();
  }
  --interpreter_.scans_;
  return speculation.End();
}

void LoopTracer::Enter(Slot* slot) {
  const Value inside =
      patterns_.Build(slot->pattern, slot->before, [&](const Pattern& pattern, const Value& old) -> ir::Arg {
        if (pattern.kind == Kind::kScan) return {ir::None{}};
        const ir::Arg initial = pattern.kind == Kind::kSequence ? ir::Arg{pattern.initial} : LeafArg(old);
        const ir::ValueId place = interpreter_.tracer_.BlockInput(pattern.type, initial);
        loop_.carried.push_back({initial, place, {}});
        if (const auto* tensor = old.As<Tensor>()) interpreter_.quantized_.Join(tensor->id, tensor->id, place);
        return {place};
      });
  if (slot->cell) {
    SetContents(slot->cell, inside);
  } else {
    interpreter_.activation_->frame.Set(slot->name, inside);
  }
}

void LoopTracer::SetContents(const CellPtr& cell, const Value& contents) {
  const Cell& from = **contents.As<CellPtr>();
  Cell& to = interpreter_.heap_.Edit(cell);
  to.keys = from.keys;
  to.items = from.items;
  to.attributes = from.attributes;
  to.element = from.element;
  to.sequence = from.sequence;
  to.stacked = from.stacked;
  to.scan = from.scan;
}

// Lists that are carried as sequences, at the end of the body.
void LoopTracer::MakeSequences() {
  for (Slot& slot : slots_) {
    const Value* variable = slot.cell ? nullptr : interpreter_.activation_->frame.Find(slot.name);
    const Value now = slot.cell ? Value{slot.cell} : variable ? *variable : Value{None{}};
    if (slot.cell && slot.pattern.kind == Kind::kSequence) {
      interpreter_.MakeSequence(slot.cell, slot.pattern.type);
      continue;
    }
    PatternMaker::ForEach(&slot.pattern, slot.before, now, [&](Pattern& pattern, const Value&, const Value& after) {
      const auto* list = after.As<CellPtr>();
      if (pattern.kind == Kind::kSequence && list) interpreter_.MakeSequence(*list, pattern.type);
    });
  }
}

LoopTracer::Slot& LoopTracer::SlotFor(const std::string& name, const CellPtr& cell, const Value& before) {
  size_t& index = cell ? cells_.try_emplace(cell.get(), slots_.size()).first->second
                       : variables_.try_emplace(name, slots_.size()).first->second;
  if (index == slots_.size())
    slots_.push_back({.name = name, .cell = cell, .before = before, .after = before, .pattern = {}});
  return slots_[index];
}

// What may stand for a variable that is not set before the loop: the program does not use it then.
Value LoopTracer::AnyLike(const Value& value, int depth) {
  constexpr int kMaxDepth = 64;
  if (IsKnown(value)) return value;
  ValueList items;
  const auto* tuple = value.As<TuplePtr>();
  const auto* cell = value.As<CellPtr>();
  const bool list = cell && (*cell)->kind == Cell::Kind::kList;
  if (depth < kMaxDepth && (tuple || list)) {
    for (const Value& item : tuple ? (*tuple)->items : (*cell)->items) items.push_back(AnyLike(item, depth + 1));
    if (list) return {interpreter_.heap_.NewList(std::move(items), (*cell)->element)};
    return {MakeOwned<const TupleValue>(TupleValue{std::move(items), (*tuple)->type})};
  }
  return {Missing{.reason = "a value that is never set", .reported = false, .unset = true}};
}

// True when another round is needed.
bool LoopTracer::Update(const Speculation::Outcome& outcome) {
  for (const Frame::Change& change : outcome.variables) {
    const bool is_target = stmt_.kind == StmtKind::kFor && stmt_.targets[0].text == change.name;
    if (!change.before || is_target) continue;
    SlotFor(change.name, nullptr, *change.before).after = change.after;
  }
  for (const Heap::Change& change : outcome.cells) {
    const auto contents = [](const Cell& cell) { return Value{MakeOwned<Cell>(cell)}; };
    const std::string name = change.cell->path.empty() ? "a container" : change.cell->path;
    SlotFor(name, change.cell, contents(change.before)).after = contents(change.after);
  }
  bool again = false;
  for (Slot& slot : slots_) {
    // The body sets it in each iteration before it is read: what it holds first does not matter, but its type does.
    if (IsUnset(slot.before) && slot.pattern.kind == Kind::kSame) {
      slot.before = AnyLike(slot.after, 0);
      again |= !IsUnset(slot.before);
    }
    again |= patterns_.Widen(&slot.pattern, slot.before, slot.after, slot.name);
    if (!patterns_.why().empty()) {
      why_ = patterns_.why();
      return false;
    }
  }
  return UpdateWrites(outcome.region.writes) || again;
}

// A tensor that a variable held before it was carried is no longer written to itself.
bool LoopTracer::UpdateWrites(std::vector<trace::Region::Write> writes) {
  std::erase_if(writes, [](const trace::Region::Write& write) { return write.kept; });
  const auto bases = [](const std::vector<trace::Region::Write>& all) {
    std::set<ir::ValueId> set;
    for (const trace::Region::Write& write : all) set.insert(write.base);
    return set;
  };
  const bool again = bases(writes) != bases(writes_);
  writes_ = std::move(writes);
  return again;
}

// The sequences that the loop starts with, outside of it.
bool LoopTracer::PrepareSequences() {
  for (Slot& slot : slots_) {
    PatternMaker::ForEach(&slot.pattern, slot.before, slot.before,
                          [&](Pattern& pattern, const Value& before, const Value&) {
                            if (pattern.kind != Kind::kSequence || pattern.initial != ir::ValueId::kNone) return;
                            const auto initial = interpreter_.SequenceOf(**before.As<CellPtr>(), pattern.type);
                            if (initial) {
                              pattern.initial = *initial;
                            } else {
                              why_ = fmt::format("`{}` holds what no ONNX sequence can", slot.name);
                            }
                          });
  }
  return why_.empty();
}

// True when a list that looked like a scan output is none.
bool LoopTracer::CheckScans() {
  bool wrong = false;
  for (Slot& slot : slots_) {
    PatternMaker::ForEach(&slot.pattern, slot.before, slot.after,
                          [&](Pattern& pattern, const Value&, const Value& after) {
                            if (pattern.kind != Kind::kScan) return;
                            const auto* list = after.As<CellPtr>();
                            const bool is_scan = list && (*list)->scan == pattern.scan && (*list)->items.size() == 1 &&
                                                 !(*list)->is_dynamic() && HasOneShape(pattern.type);
                            if (is_scan && !interpreter_.read_scans_.contains(pattern.scan)) return;
                            pattern.kind = Kind::kSequence;
                            wrong = true;
                          });
  }
  return wrong;
}

bool LoopTracer::Finish(Speculation::Outcome outcome, bool* again) {
  std::vector<Pattern*> places;
  for (Slot& slot : slots_) {
    PatternMaker::ForEach(
        &slot.pattern, slot.before, slot.after, [&](Pattern& pattern, const Value&, const Value& after) {
          if (pattern.kind == Kind::kScan) {
            loop_.scans.push_back(LeafArg((*after.As<CellPtr>())->items[0]));
            return;
          }
          // `carried` was filled by Enter in the order of ForEach, without the scans.
          ir::Arg& next = loop_.carried[places.size()].next;
          places.push_back(&pattern);
          next = pattern.kind == Kind::kSequence ? ir::Arg{(*after.As<CellPtr>())->sequence} : LeafArg(after);
        });
  }
  interpreter_.LocateAt(stmt_.offset);
  std::vector<ir::Value> joined;
  const auto results = interpreter_.tracer_.Loop(loop_, std::move(outcome.region), &joined);
  if (!results) {
    // What is written in place is carried as well, behind the places: its types are not ours.
    for (size_t i = 0; i < places.size() && i < joined.size(); ++i) {
      places[i]->type = joined[i];
      places[i]->type.contents.reset();
    }
    *again = true;
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
    if (before && after && result && !interpreter_.quantized_.Join(*before, *after, *result))
      interpreter_.tracer_.Fail("", "a loop changes the scale of a quantized tensor");
  }
  size_t next = 0;
  size_t next_scan = loop_.carried.size();
  for (Slot& slot : slots_) {
    const Value after = patterns_.Build(slot.pattern, slot.before, [&](const Pattern& pattern, const Value&) {
      return results[pattern.kind == Kind::kScan ? next_scan++ : next++];
    });
    if (slot.cell) {
      if (slot.pattern.kind != Kind::kSame) SetContents(slot.cell, after);
    } else {
      interpreter_.activation_->frame.Set(slot.name, after);
    }
  }
}

// The failures of the body are kept; what it would have changed is not known.
void LoopTracer::LeaveFailed(Speculation::Outcome outcome) {
  loop_.carried.clear();
  std::vector<ir::Value> joined;
  interpreter_.tracer_.Loop(loop_, std::move(outcome.region), &joined);
  interpreter_.ForgetAssigned(stmt_.body);
}

}  // namespace onnxport::torchscript
