// Replays functorch's vmap in a program of torch.export: the calls between its two marks work on one element of the
// batch.
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

// Returns true if a vmap begins with this call.
bool BeginsVmap(const ir::Node& call);
// Returns true for a mark that does not change the computation.
bool IsEmptyMark(const ir::Node& call);
// Returns the end of the unit that starts at `first`: a single call, or a whole vmap.
size_t EndOf(const Calls& calls, size_t first);

// Makes the calls of a vmap on the whole batch at once if possible, else as a Loop over the batch.
class Vmap {
 public:
  using MakeCalls = std::function<void(const Calls& calls)>;

  // All outlive this. `make_calls` makes the calls inside a vmap, which may contain another vmap.
  Vmap(trace::Tracer* tracer, ProgramValues* values, Loops* loops, MakeCalls make_calls)
      : tracer_(*tracer), values_(*values), loops_(*loops), make_calls_(std::move(make_calls)) {}

  // `calls` goes from the mark at the begin to the mark at the end.
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
  int64_t level_ = 0;  // number of open vmaps
};

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_VMAP_H_
