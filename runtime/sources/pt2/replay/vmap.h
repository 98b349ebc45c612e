// functorch's vmap in a program of torch.export: the calls between its two marks are for one element of the batch.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_VMAP_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_VMAP_H_

#include <cstddef>
#include <cstdint>
#include <functional>

#include "runtime/ir/graph.h"
#include "runtime/sources/pt2/replay/call_queue.h"
#include "runtime/sources/pt2/replay/loops.h"
#include "runtime/sources/pt2/replay/program_values.h"
#include "runtime/trace/tracer.h"

namespace onnxport::pt2 {

// Returns whether a vmap begins with this call.
bool BeginsVmap(const ir::Node& call);
// Returns whether it is a mark that changes nothing in the computation.
bool IsEmptyMark(const ir::Node& call);
// Returns the end of the unit that starts at `first`: a call, or all of a vmap.
size_t EndOf(const Calls& calls, size_t first);

// Makes the calls of a vmap as a Loop over the batch, or at once where they can be made on all of it.
class Vmap {
 public:
  using MakeCalls = std::function<void(const Calls& calls)>;

  // All outlive this. `make_calls`: of calls inside of it, which may have a vmap of their own.
  Vmap(trace::Tracer* tracer, ProgramValues* values, Loops* loops, MakeCalls make_calls)
      : tracer_(*tracer), values_(*values), loops_(*loops), make_calls_(std::move(make_calls)) {}

  // From the mark of its begin to that of its end.
  void Make(const Calls& calls);

 private:
  struct Parts;
  Parts Divide(const Calls& calls) const;
  void LoopOver(const Parts& parts, const ir::Arg& size);
  ir::Arg AxisMoved(const ir::Arg& tensor, const ir::Arg& from, const ir::Arg& to);

  trace::Tracer& tracer_;
  ProgramValues& values_;
  Loops& loops_;
  MakeCalls make_calls_;
  int64_t level_ = 0;  // how many are open
};

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_VMAP_H_
