// Finds the slots of a loop. A slot is a variable, or an older container, that the body changes. Its pattern says which
// of its tensors and numbers are carried (control/pattern.h). Slots are found by tracing: first the body runs as if
// nothing changed. Then each change becomes a slot, and the body is traced again until there are no new ones.
#include "runtime/sources/torchscript/interpret/loop_slots.h"

#include <fmt/format.h>

#include <utility>

#include "runtime/sources/torchscript/interpret/holders.h"
#include "runtime/sources/torchscript/interpret/values/leaves.h"
#include "runtime/sources/torchscript/syntax/analysis.h"

namespace onnxport::torchscript {
namespace {

using Kind = Pattern::Kind;

// The elements of an ONNX scan output have one shape. Unknown sizes may differ between iterations.
bool HasOneShape(const ir::Value& type) { return type.dims && ir::AllKnown(*type.dims); }

bool IsUnset(const Value& value) {
  const auto* missing = value.As<Missing>();
  return missing && missing->unset;
}

}  // namespace

std::vector<ir::LoopSpec::Carried> LoopSlots::Enter() {
  std::vector<ir::LoopSpec::Carried> carried;
  std::vector<CellPtr> made;
  patterns_.SetContents({});  // while the body is traced, containers have their current contents
  for (Slot& slot : slots_) AddReplaced(slot, Enter(&slot, &carried), &made);
  ties_.Tie(made);
  return carried;
}

// Adds the containers that an iteration replaces, with their state in the value `after`.
void LoopSlots::AddReplaced(const Slot& slot, const Value& after, std::vector<CellPtr>* replaced) const {
  const size_t first = replaced->size();
  patterns_.ForEachReplaced(slot.pattern, slot.before, after,
                            [&](const CellPtr&, const CellPtr& cell) { replaced->push_back(cell); });
  // The container itself keeps its identity.
  if (slot.cell && replaced->size() > first) (*replaced)[first] = slot.cell;
}

std::vector<CellPtr> LoopSlots::ReplacedAfter() const {
  std::vector<CellPtr> after;
  for (const Slot& slot : slots_) AddReplaced(slot, slot.after, &after);
  return after;
}

Value LoopSlots::Enter(Slot* slot, std::vector<ir::LoopSpec::Carried>* carried) {
  const Value inside =
      patterns_.Build(slot->pattern, slot->before, [&](const Pattern& pattern, const Value& old) -> ir::Arg {
        // A scan output begins empty in each iteration, so nothing is carried.
        if (pattern.kind == Kind::kScan) return {ir::None{}};
        const ir::Arg initial = pattern.kind == Kind::kSequence ? ir::Arg{pattern.initial} : LeafArg(old);
        const ir::ValueId place = run_.EditTracer().regions().BlockInput(pattern.type, initial);
        carried->push_back({initial, place, {}});
        // A quantized tensor stays quantized inside. The results show if it has the same grid after the loop.
        if (const auto* tensor = old.As<Tensor>()) grids_.Join(tensor->id, tensor->id, place);
        return {place};
      });
  // A container is filled again, not replaced, because other variables share it.
  if (slot->cell) {
    if (slot->pattern.kind != Kind::kSame) SetContents(slot->cell, inside);
  } else {
    run_.EditFrame().Set(slot->name, inside);
  }
  return inside;
}

void LoopSlots::SetContents(const CellPtr& cell, const Value& contents) {
  const Cell& from = **contents.As<CellPtr>();
  Cell& to = run_.EditHeap().Edit(cell);
  to.keys = from.keys;
  to.items = from.items;
  to.present = from.present;
  to.attributes = from.attributes;
  to.element = from.element;
  to.sequence = from.sequence;
  to.stacked = from.stacked;
  to.scan = from.scan;
}

void LoopSlots::MakeSequences() {
  for (Slot& slot : slots_) {
    const Value* variable = slot.cell ? nullptr : run_.frame().Find(slot.name);
    const Value now = slot.cell ? Value{slot.cell} : variable ? *variable : Value{None{}};
    if (slot.cell && slot.pattern.kind == Kind::kSequence) {
      sequences_.MakeSequence(slot.cell, slot.pattern.type);
      continue;
    }
    patterns_.ForEach(&slot.pattern, slot.before, now, [&](Pattern& pattern, const Value&, const Value& after) {
      const auto* list = after.As<CellPtr>();
      if (pattern.kind == Kind::kSequence && list) sequences_.MakeSequence(*list, pattern.type);
    });
  }
}

LoopSlots::Slot& LoopSlots::SlotFor(const std::string& name, const CellPtr& cell, const Value& before) {
  size_t& index = cell ? cells_.try_emplace(cell.get(), slots_.size()).first->second
                       : variables_.try_emplace(name, slots_.size()).first->second;
  if (index == slots_.size())
    slots_.push_back({.name = name, .cell = cell, .before = before, .after = before, .pattern = {}});
  return slots_[index];
}

// Returns any value for a variable that is not set before the loop, because the program does not use it then.
Value LoopSlots::AnyLike(const Value& value, int depth) {
  constexpr int kMaxDepth = 64;
  if (IsKnown(value)) return value;
  ValueList items;
  const auto* tuple = value.As<TuplePtr>();
  const auto* cell = value.As<CellPtr>();
  const bool list = cell && (*cell)->kind == Cell::Kind::kList;
  if (depth < kMaxDepth && (tuple || list)) {
    for (const Value& item : tuple ? (*tuple)->items : (*cell)->items) items.push_back(AnyLike(item, depth + 1));
    if (list) return {run_.EditHeap().NewList(std::move(items), (*cell)->element)};
    return {MakeOwned<const TupleValue>(TupleValue{std::move(items), (*tuple)->type})};
  }
  return {Missing{.reason = "a value that is never set", .reported = false, .unset = true}};
}

// Returns true if the next iteration, or code after the loop, may read the variable. LibTorch's printer names each
// result, as in `_1 = torch.append(xs, x)`.
bool LoopSlots::IsCarried(const std::string& name, const Stmt& loop) const {
  return ReadsFirst({&loop, 1}, name) || IsReadAfter(loop.offset, run_.calls().top(), name);
}

void LoopSlots::AddChanges(const Execution::Outcome& outcome, const Stmt& loop) {
  // The variable that counts iterations is set again each time.
  const std::string* target = loop.kind == StmtKind::kFor ? &loop.targets[0].text : nullptr;
  for (const Frame::Change& change : outcome.variables) {
    // A variable that only the body sets is set again in each iteration. LibTorch's compiler allows no read of it after
    // the loop.
    if (!change.before || (target && *target == change.name)) continue;
    if (!IsCarried(change.name, loop)) continue;
    SlotFor(change.name, nullptr, *change.before).after = change.after;
  }
  for (const Heap::Change& change : outcome.cells) {
    const auto contents = [](const Cell& cell) { return Value{MakeOwned<Cell>(cell)}; };
    const std::string name = change.cell->path.empty() ? "a container" : change.cell->path;
    SlotFor(name, change.cell, contents(change.before)).after = contents(change.after);
  }
}

// An iteration adds keys to a dict, or replaces it by one with other keys. Before the loop, the dict does not have
// them.
bool LoopSlots::AddKeys(Slot* slot) {
  const CellPtr* old_dict = AsDict(slot->before);
  const CellPtr* after = AsDict(slot->after);
  if (!old_dict || !after) return false;
  Cell before = **old_dict;
  const size_t old = before.keys.size();
  for (size_t i = 0; i < (*after)->keys.size(); ++i) {
    const std::optional<size_t> place = PlaceOf((*after)->keys[i], before);
    if (!place || *place < old) continue;
    before.keys.push_back((*after)->keys[i]);
    before.items.push_back(AnyLike((*after)->items[i], 0));
  }
  if (before.keys.size() == old) return false;
  for (size_t i = before.present.size(); i < before.keys.size(); ++i) before.present.push_back({i < old});
  const CellPtr dict = run_.EditHeap().NewDict(std::move(before.keys), std::move(before.items));
  run_.EditHeap().Edit(dict).present = std::move(before.present);
  run_.EditHeap().TieLike(dict, *old_dict);
  originals_[dict.get()] = {dict, OriginalOf(*old_dict)};
  slot->before = {dict};
  slot->pattern = Pattern();
  return true;
}

const CellPtr& LoopSlots::OriginalOf(const CellPtr& before) const {
  const auto found = originals_.find(before.get());
  return found == originals_.end() ? before : found->second.second;
}

bool LoopSlots::Widen(Slot* slot) {
  bool again = AddKeys(slot);
  // Each iteration sets it before it is read. So its first value does not matter, but its type does.
  if (IsUnset(slot->before) && slot->pattern.kind == Kind::kSame) {
    slot->before = AnyLike(slot->after, 0);
    again |= !IsUnset(slot->before);
  }
  again |= patterns_.Widen(&slot->pattern, slot->before, slot->after, slot->name);
  why_ = patterns_.why();
  return again;
}

// `L.append(x); L = L[:3]` changes the list in `L` in the first iteration, and other lists later. For a variable, the
// loop carries a copy of the list. That is right if nothing else can see the list.
void LoopSlots::ForgetReplaced(const Slot& slot, const Stmt& loop) {
  const auto is_read = [&](const std::string& name) {
    return name == slot.name || Reads({&loop, 1}, name) || IsReadAfter(loop.offset, run_.calls().top(), name);
  };
  patterns_.ForEachReplaced(slot.pattern, slot.before, slot.after, [&](const CellPtr& replaced, const CellPtr&) {
    const auto found = cells_.find(OriginalOf(replaced).get());
    if (found == cells_.end() || slots_[found->second].pattern.kind == Kind::kSame) return;
    if (CountHolders(*OriginalOf(replaced), run_.calls(), is_read) > 1) {
      why_ = fmt::format(
          "`{0}` is a container that the body changes in place and then replaces by another one, and the first one has "
          "other names as well; make a new one instead of the change in place, as `{0} = {0} + [item]`",
          slot.name);
    }
    Slot& own = slots_[found->second];
    own.pattern = Pattern();
    own.after = own.before;
  });
}

bool LoopSlots::Update(const Execution::Outcome& outcome, const Stmt& loop) {
  AddChanges(outcome, loop);
  patterns_.SetContents(outcome.cells);
  bool again = false;
  for (Slot& slot : slots_) {
    again |= Widen(&slot);
    if (!why_.empty()) return false;
  }
  for (const Slot& slot : slots_) ForgetReplaced(slot, loop);
  if (again) ties_.Clear();
  again |= ties_.Update(ReplacedAfter());
  return again && why_.empty();
}

bool LoopSlots::PrepareSequences() {
  for (Slot& slot : slots_) {
    patterns_.ForEach(&slot.pattern, slot.before, slot.after, [&](Pattern& pattern, const Value& before, const Value&) {
      if (pattern.kind != Kind::kSequence || pattern.initial != ir::ValueId::kNone) return;
      const auto initial = sequences_.SequenceOf(**before.As<CellPtr>(), pattern.type);
      if (initial) {
        pattern.initial = *initial;
      } else {
        why_ = fmt::format("`{}` holds what no ONNX sequence can", slot.name);
      }
    });
  }
  return why_.empty();
}

bool LoopSlots::CheckScans() {
  bool wrong = false;
  for (Slot& slot : slots_) {
    patterns_.ForEach(&slot.pattern, slot.before, slot.after, [&](Pattern& pattern, const Value&, const Value& after) {
      if (pattern.kind != Kind::kScan) return;
      const auto* list = after.As<CellPtr>();
      const bool is_scan = list && (*list)->scan == pattern.scan && (*list)->items.size() == 1 &&
                           !(*list)->is_dynamic() && HasOneShape(pattern.type);
      if (is_scan && !scans_.IsRead(pattern.scan)) return;
      // Something reads the list, or its elements differ. So it is carried with all of its elements.
      pattern.kind = Kind::kSequence;
      wrong = true;
    });
  }
  return wrong;
}

void LoopSlots::ForEach(const PatternMaker::Visitor& visit) {
  for (Slot& slot : slots_) patterns_.ForEach(&slot.pattern, slot.before, slot.after, visit);
}

void LoopSlots::Leave(const std::vector<ir::Arg>& results, size_t carried) {
  // There are two rows of results, for carried values and for scans. Both have the order of the places.
  size_t next = 0;
  size_t next_scan = carried;
  std::vector<CellPtr> made;
  for (Slot& slot : slots_) {
    const Value after = patterns_.Build(slot.pattern, slot.before, [&](const Pattern& pattern, const Value&) {
      return results[pattern.kind == Kind::kScan ? next_scan++ : next++];
    });
    if (slot.cell) {
      if (slot.pattern.kind != Kind::kSame) SetContents(slot.cell, after);
    } else {
      run_.EditFrame().Set(slot.name, after);
    }
    AddReplaced(slot, after, &made);
  }
  ties_.Tie(made);
}

}  // namespace onnxport::torchscript
