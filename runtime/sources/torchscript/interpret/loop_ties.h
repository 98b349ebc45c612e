// Which containers of a loop may be one container at the start of an iteration, or after the loop.
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
// `c` is a list of its own before the loop, and that of `b` after an iteration. A loop carries a copy of each, so a
// change of one of them that the other should see is refused (CheckTies). A place is a container that the loop carries,
// in an order that stays.
class LoopTies {
 public:
  // Containers with a serial before `mark` are older than the loop.
  LoopTies(Heap* heap, uint64_t mark) : heap_(*heap), mark_(mark) {}

  // Takes in which container stands at each place after an iteration. True where more may be one than before.
  bool Update(const std::vector<CellPtr>& after);
  // Ties the containers that the exporter made for the places.
  void Tie(const std::vector<CellPtr>& places);
  // The places are others from here on.
  void Clear();

 private:
  Heap& heap_;
  uint64_t mark_;
  std::set<std::pair<size_t, size_t>> pairs_;          // of places
  std::vector<std::map<const Cell*, CellPtr>> older_;  // by place: containers that are older than the loop
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_LOOP_TIES_H_
