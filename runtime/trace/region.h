// The trace of a branch or of a loop's body.
#ifndef ONNXPORT_RUNTIME_TRACE_REGION_H_
#define ONNXPORT_RUNTIME_TRACE_REGION_H_

#include <memory>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::trace {

// The trace between Begin and End: calls that are not yet in a graph, and their effects on older values.
struct Region {
  // Older tensors that were written to (bases of storages), each with its value at the end of the region.
  struct Write {
    ir::ValueId base;
    ir::ValueId value;
    bool kept = false;  // the value is the one from CarryWrites: the region itself does not write to it
  };
  std::vector<Write> writes;
  bool doubts = false;  // it wrote to a tensor that may share memory with older ones
  bool failed = false;  // something in it could not be lowered

  struct Rest;
  std::shared_ptr<Rest> rest;  // internal to the tracer: the calls themselves, and more (open_regions.h)
};

// Only the trace of a loop body shows which older tensors it writes to. If these become carried values, it may write to
// others, so the body is traced again until nothing changes. `carried` are the tensors that were carried in this trace
// (Regions::CarryWrites). They are replaced by those that the region itself writes to; for example, a tensor that a
// variable held before it was carried is no longer written to. Returns true if they have changed.
bool UpdateWrites(const Region& body, std::vector<Region::Write>* carried);

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_REGION_H_
