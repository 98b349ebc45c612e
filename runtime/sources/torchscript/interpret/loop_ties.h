// Tracks containers of a loop that may be the same container at the start of an iteration, or after the loop.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_LOOP_TIES_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_LOOP_TIES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "runtime/sources/torchscript/interpret/values/heap.h"
#include "runtime/sources/torchscript/interpret/values/value.h"

namespace onnxport::torchscript {

// In
//     for i in range(n): b.append(i); c = b
// `c` is another list than `b` before the loop, but the same list after an iteration. A loop carries a copy of each. So
// if one of them is changed and the other one would have to change too, CheckTies refuses it. A place is a container
// that the loop carries; the order of places is fixed.
class LoopTies {
 public:
  // Containers with a serial before `mark` are older than the loop.
  LoopTies(Heap* heap, uint64_t mark) : heap_(*heap), mark_(mark) {}

  // Adds the containers at each place after an iteration. Returns true if more places may be the same than before.
  bool Update(const std::vector<CellPtr>& after);
  // Ties the exporter's containers for the places.
  void Tie(const std::vector<CellPtr>& places);
  // Forgets all, because the places have changed.
  void Clear();

 private:
  Heap& heap_;
  uint64_t mark_;
  std::set<std::pair<size_t, size_t>> pairs_;          // of places
  std::vector<std::map<const Cell*, CellPtr>> older_;  // by place: containers that are older than the loop
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_LOOP_TIES_H_
