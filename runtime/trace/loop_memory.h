// Internal to Regions::Loop: the memory of the values that a loop carries.
#ifndef ONNXPORT_RUNTIME_TRACE_LOOP_MEMORY_H_
#define ONNXPORT_RUNTIME_TRACE_LOOP_MEMORY_H_

#include <cstddef>
#include <set>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/trace/leaving.h"
#include "runtime/trace/region.h"

namespace onnxport::trace {

// A carried value.
struct LoopPlace {
  Leaver initial;  // before the loop
  Leaver next;     // at the end of an iteration
  ir::ValueId inside = ir::ValueId::kNone;
  bool written = false;           // the body writes to the block input, or to something that may share its memory
  ir::Arg still = {};             // if the next value is the initial tensor, as a bool; None: not known
  std::set<ir::ValueId> entered;  // bases that may share its memory, as far as the body knows
  std::set<ir::ValueId> memory;   // bases that may share its memory at the end of an iteration
  bool MayOverlap() const { return initial.overlaps || next.overlaps; }
};

// Fills in `memory`: bases whose memory a carried value may have after some iterations. An example is `a, b = b, a`.
void FindMemory(std::vector<LoopPlace>* places);

// Clears `still` of places whose memory another place, or a scan, may have.
void ForgetShared(std::vector<LoopPlace>* places, const std::vector<std::vector<ir::ValueId>>& scan_bases, size_t mark);

// Returns true if the body knows all tensors that share memory with a written one at the start of an iteration. It
// knows those from before the loop (see CarryWrites), but not those that the previous iteration left.
bool IsSharingFollowed(const std::vector<LoopPlace>& places, const Region& body);

// Returns true if no later iteration writes to the scan elements of an earlier one. `scan_bases` has the memory that
// each scan may have.
bool StaysAsItIs(const std::vector<LoopPlace>& places, const std::vector<std::vector<ir::ValueId>>& scan_bases,
                 const Region& body);

// Returns memory from before the loop (bases below `mark`) of a value that may be the start value of a carried value in
// an iteration.
std::vector<ir::ValueId> OlderMemory(const std::vector<LoopPlace>& places, const std::vector<ir::ValueId>& bases,
                                     size_t mark);

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_LOOP_MEMORY_H_
