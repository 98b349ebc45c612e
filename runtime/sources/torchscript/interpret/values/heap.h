// Lists, dicts and objects of the interpreted program, with a journal. It can list and undo the changes of a branch, or
// of a trial of a loop body, at a cost that depends only on the number of changes.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_HEAP_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_HEAP_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/sources/torchscript/interpret/values/value.h"

namespace onnxport::torchscript {

class Heap {
 public:
  Heap() = default;
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;
  // Empties the remaining cells, because those that contain themselves would never be freed.
  ~Heap();

  CellPtr NewList(ValueList items, Type element = {});
  CellPtr NewDict(ValueList keys = {}, ValueList items = {});
  CellPtr NewObject(std::string type_name, const Class* type);

  // A number that no cell has yet.
  uint64_t NewSerial() { return next_serial_++; }

  // Returns the cell for one change: `heap.Edit(cell).items.push_back(x)`. Call it again for the next change.
  Cell& Edit(const CellPtr& cell);

  // At run time the two may be the same container, because an `if` or a loop chooses. So a change of one may change the
  // other. Ties are pairs: if A may be B and B may be C, A may still never be C.
  void Tie(const CellPtr& one, const CellPtr& other);
  // `made` may be `other`, and everything that `other` may be.
  void TieLike(const CellPtr& made, const CellPtr& other);
  // All containers that the cell may be, except itself.
  std::vector<CellPtr> TiedTo(const Cell& cell) const;

  // Records changes of older cells from now on. Scopes nest.
  void Begin();
  // The contents of a cell that is older than the scope. Changes are in the order of the first change.
  struct Change {
    CellPtr cell;
    Cell before;
    Cell after;
  };
  // Ends the scope, and restores the contents of every older cell as of `Begin`.
  std::vector<Change> Undo();
  // Ends the scope. The changes stay, and belong to the enclosing scope.
  void Keep();
  // Returns true if the cell was made since the innermost Begin.
  bool IsNew(const Cell& cell) const { return scopes_.empty() || cell.serial >= scopes_.back().first_serial; }

 private:
  struct Entry {
    CellPtr cell;
    Cell before;
  };
  struct Scope {
    uint64_t first_serial = 0;
    std::vector<Entry> entries;
    std::unordered_map<const Cell*, size_t> index;  // of `entries`
  };

  CellPtr New(Cell::Kind kind);
  void Record(Scope* scope, const CellPtr& cell, const Cell& before);

  uint64_t next_serial_ = 1;
  std::unordered_map<uint64_t, std::vector<std::weak_ptr<Cell>>> ties_;  // by serial, in both directions
  std::vector<Scope> scopes_;
  std::vector<std::weak_ptr<Cell>> cells_;  // all cells that are alive, and some that were freed
  size_t prune_at_ = 1024;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_HEAP_H_
