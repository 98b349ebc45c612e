#include "runtime/sources/torchscript/interpret/holders.h"

#include <unordered_set>
#include <vector>

#include "runtime/sources/torchscript/syntax/analysis.h"

namespace onnxport::torchscript {
namespace {

class HolderCount {
 public:
  explicit HolderCount(const Cell& cell) : cell_(cell) {}

  void Add(const Value& value) {
    open_.push_back(&value);
    while (!open_.empty()) {
      const Value& next = *open_.back();
      open_.pop_back();
      if (const auto* tuple = next.As<TuplePtr>(); tuple && seen_.insert(tuple->get()).second) AddAll((*tuple)->items);
      if (const auto* cell = next.As<CellPtr>()) Visit(**cell);
    }
  }
  int holders() const { return holders_; }

 private:
  void AddAll(const ValueList& values) {
    for (const Value& value : values) open_.push_back(&value);
  }
  void Visit(const Cell& cell) {
    if (&cell == &cell_) ++holders_;
    if (!seen_.insert(&cell).second) return;
    AddAll(cell.keys);
    AddAll(cell.items);
    for (const auto& [name, value] : cell.attributes) open_.push_back(&value);
  }

  const Cell& cell_;
  std::unordered_set<const void*> seen_;
  std::vector<const Value*> open_;
  int holders_ = 0;
};

}  // namespace

bool Holds(const Value& value, const Cell& cell) {
  HolderCount count(cell);
  count.Add(value);
  return count.holders() > 0;
}

bool IsReadAfter(Offset at, const Activation& call, const std::string& name) {
  return call.function == nullptr || ReadsAfter(call.function->body, at, name);
}

int CountHolders(const Cell& cell, const CallStack& calls, const std::function<bool(const std::string&)>& is_read) {
  HolderCount count(cell);
  const ValueMap variables = calls.top().frame.Snapshot();
  for (const auto& [name, value] : variables) {
    if (is_read(name)) count.Add(value);
  }
  for (const Activation* caller = calls.top().caller; caller != nullptr; caller = caller->caller) {
    const ValueMap outer = caller->frame.Snapshot();
    for (const auto& [name, value] : outer) {
      if (IsReadAfter(caller->calling, *caller, name)) count.Add(value);
    }
  }
  return count.holders();
}

bool CheckTies(const Cell& cell, Offset at, Execution* run) {
  const auto is_read = [&](const std::string& name) { return IsReadAfter(at, run->calls().top(), name); };
  for (const CellPtr& other : run->EditHeap().TiedTo(cell)) {
    if (CountHolders(*other, run->calls(), is_read) == 0) continue;
    Failed(
        "a list, dict or object is changed in place, and only at run time it is known whether another name means the "
        "same one; make a new one instead, as `a = a + [item]`",
        run);
    return false;
  }
  return true;
}

}  // namespace onnxport::torchscript
