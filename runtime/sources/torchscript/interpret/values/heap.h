// Lists, dicts and objects of the interpreted program, with a journal. The changes that a branch or a trial of a loop
// body made can be listed and undone, at a cost that grows with the changes only.
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
  // Empties the cells that are left: those that hold themselves would never be freed.
  ~Heap();

  CellPtr NewList(ValueList items, Type element = {});
  CellPtr NewDict(ValueList keys = {}, ValueList items = {});
  CellPtr NewObject(std::string type_name, const Class* type);

  // A number that no cell has.
  uint64_t NewSerial() { return next_serial_++; }

  // The cell for writing: `heap.Edit(cell).items.push_back(x)`. Call it anew for every change, do not keep the result.
  Cell& Edit(const CellPtr& cell);

  // At run time the two may be one container, since an `if` or a loop chooses: a change of one may be a change of the
  // other. Among three containers, the first may be the second and the second the third, and the first never the third.
  void Tie(const CellPtr& one, const CellPtr& other);
  // `made` may be `other`, and so whatever `other` may be.
  void TieLike(const CellPtr& made, const CellPtr& other);
  // All that the cell may be, but for itself.
  std::vector<CellPtr> TiedTo(const Cell& cell) const;

  // From here on changes of older cells are recorded. Scopes nest.
  void Begin();
  // Contents of a cell that is older than the scope, in the order of the first change.
  struct Change {
    CellPtr cell;
    Cell before;
    Cell after;
  };
  // Ends the scope: every older cell has its contents of `Begin` again.
  std::vector<Change> Undo();
  // Ends the scope: the changes stay, and belong to the scope around it.
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
  std::vector<std::weak_ptr<Cell>> cells_;  // all that are alive, and some that were
  size_t prune_at_ = 1024;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_HEAP_H_
