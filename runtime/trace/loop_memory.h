// Internal to Regions::Loop: the memory of the values that a loop carries.
#ifndef ONNXPORT_RUNTIME_TRACE_LOOP_MEMORY_H_
#define ONNXPORT_RUNTIME_TRACE_LOOP_MEMORY_H_

#include <cstddef>
#include <set>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/trace/leaving.h"

namespace onnxport::trace {

// A carried value.
struct LoopPlace {
  Leaver initial;  // before the loop
  Leaver next;     // at the end of an iteration
  ir::ValueId inside = ir::ValueId::kNone;
  bool written = false;           // the block input, or what may share its memory, in the body
  std::set<ir::ValueId> entered;  // bases that the body knows it may share memory with
  std::set<ir::ValueId> memory;   // bases that it may share memory with at the end of an iteration
};

// Fills in `memory`: whose memory a carried value may have after some iterations: `a, b = b, a`.
void FindMemory(std::vector<LoopPlace>* places);

// The names that memory has at the start of an iteration must be linked in the body where a write is in play. Names
// from before the loop are (see CarryWrites); those that the iteration before left are not.
bool IsSharingFollowed(const std::vector<LoopPlace>& places, const Region& body);

// Each iteration leaves its elements (memory they may have, for each scan) as they are: whether later ones do not write
// to them.
bool StaysAsItIs(const std::vector<LoopPlace>& places, const std::vector<std::vector<ir::ValueId>>& scan_bases,
                 const Region& body);

// Memory from before the loop (bases below `mark`) of a value that may be what a carried value was at the start of an
// iteration.
std::vector<ir::ValueId> OlderMemory(const std::vector<LoopPlace>& places, const std::vector<ir::ValueId>& bases,
                                     size_t mark);

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_LOOP_MEMORY_H_
