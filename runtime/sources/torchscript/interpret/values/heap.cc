// Holds all lists, dicts and objects. They are shared as in Python, so every holder sees an edit. For each open side a
// journal allows to undo it.
#include "runtime/sources/torchscript/interpret/values/heap.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace onnxport::torchscript {

CellPtr Heap::New(Cell::Kind kind) {
  auto cell = MakeOwned<Cell>();
  cell->kind = kind;
  cell->serial = next_serial_++;
  // Only when there are twice as many as were left the last time, so the cost per cell is constant.
  if (cells_.size() >= prune_at_) {
    std::erase_if(cells_, [](const std::weak_ptr<Cell>& known) { return known.expired(); });
    prune_at_ = std::max<size_t>(1024, 2 * cells_.size());
  }
  cells_.push_back(cell);
  return cell;
}

// Containers may contain each other, and reference counting never frees those. So each is emptied explicitly.
Heap::~Heap() {
  scopes_.clear();
  for (const std::weak_ptr<Cell>& known : cells_) {
    const CellPtr cell = known.lock();
    if (!cell) continue;
    // Moved out first: freeing the contents may free other cells, but not this one.
    const auto keys = std::move(cell->keys);
    const auto items = std::move(cell->items);
    const auto attributes = std::move(cell->attributes);
  }
}

CellPtr Heap::NewList(ValueList items, Type element) {
  CellPtr cell = New(Cell::Kind::kList);
  cell->items = std::move(items);
  cell->element = std::move(element);
  return cell;
}

CellPtr Heap::NewDict(ValueList keys, ValueList items) {
  CellPtr cell = New(Cell::Kind::kDict);
  cell->keys = std::move(keys);
  cell->items = std::move(items);
  return cell;
}

CellPtr Heap::NewObject(std::string type_name, const Class* type) {
  CellPtr cell = New(Cell::Kind::kObject);
  cell->type_name = std::move(type_name);
  cell->type = type;
  return cell;
}

Cell& Heap::Edit(const CellPtr& cell) {
  // A cell made inside a side is dropped with it, and needs no journal.
  if (!IsNew(*cell)) Record(&scopes_.back(), cell, *cell);
  // After any change the index may be wrong.
  cell->index = {};
  return *cell;
}

void Heap::Record(Scope* scope, const CellPtr& cell, const Cell& before) {
  // A cell made in the scope needs no journal: nothing can reach it after the scope is undone.
  if (cell->serial >= scope->first_serial) return;
  if (!scope->index.try_emplace(cell.get(), scope->entries.size()).second) return;
  scope->entries.push_back({cell, before});
}

void Heap::Tie(const CellPtr& one, const CellPtr& other) {
  if (one == other) return;
  ties_[one->serial].push_back(other);
  ties_[other->serial].push_back(one);
}

void Heap::TieLike(const CellPtr& made, const CellPtr& other) {
  for (const CellPtr& tied : TiedTo(*other)) Tie(made, tied);
  Tie(made, other);
}

std::vector<CellPtr> Heap::TiedTo(const Cell& cell) const {
  std::vector<CellPtr> tied;
  const auto found = ties_.find(cell.serial);
  if (found == ties_.end()) return tied;
  std::unordered_set<uint64_t> seen = {cell.serial};
  for (const std::weak_ptr<Cell>& weak : found->second) {
    CellPtr other = weak.lock();
    if (other && seen.insert(other->serial).second) tied.push_back(std::move(other));
  }
  return tied;
}

void Heap::Begin() { scopes_.push_back({.first_serial = next_serial_, .entries = {}, .index = {}}); }

std::vector<Heap::Change> Heap::Undo() {
  Scope scope = std::move(scopes_.back());
  scopes_.pop_back();
  std::vector<Change> changes;
  changes.reserve(scope.entries.size());
  for (Entry& entry : scope.entries) {
    changes.push_back({entry.cell, entry.before, std::move(*entry.cell)});
    *entry.cell = std::move(entry.before);
  }
  return changes;
}

void Heap::Keep() {
  Scope scope = std::move(scopes_.back());
  scopes_.pop_back();
  if (scopes_.empty()) return;
  // For the enclosing scope, these cells have changed as if it had changed them itself.
  for (const Entry& entry : scope.entries) Record(&scopes_.back(), entry.cell, entry.before);
}

}  // namespace onnxport::torchscript
