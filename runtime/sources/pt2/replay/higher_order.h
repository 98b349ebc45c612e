// Replays higher-order operators of torch.export: calls with blocks. They become If and Loop, or are inlined.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_HIGHER_ORDER_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_HIGHER_ORDER_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/sources/pt2/replay/call_queue.h"
#include "runtime/sources/pt2/replay/loops.h"
#include "runtime/sources/pt2/replay/program_values.h"
#include "runtime/trace/tracer.h"

namespace onnxport::pt2 {

class HigherOrder {
 public:
  using Args = std::vector<ir::Arg>;
  using MakeCalls = std::function<void(const Calls& calls)>;

  // All outlive this. `make_calls` makes the calls of a block.
  HigherOrder(trace::Tracer* tracer, ProgramValues* values, Loops* loops, MakeCalls make_calls)
      : tracer_(*tracer), values_(*values), loops_(*loops), make_calls_(std::move(make_calls)) {}

  // Makes the call and returns its results.
  Args Make(const ir::Node& call);
  // Returns true while the current calls are inside torch.autocast.
  bool autocast() const { return autocast_; }

 private:
  // Makes the calls of the block with these inputs, and returns its results.
  Args Block(const ir::Block& block, const Args& inputs);
  Args Body(const ir::Node& call);
  Args WithAutocast(const ir::Node& call);
  Args Cond(const ir::Node& call);
  Args While(const ir::Node& call);
  Args Scan(const ir::Node& call);
  Args Map(const ir::Node& call);
  Args ScanPairs(const ir::Node& call);
  Args Print(const ir::Node& call);
  Args Effects(const ir::Node& call);
  Args Fail(const ir::Node& call, const std::string& reason);

  trace::Tracer& tracer_;
  ProgramValues& values_;
  Loops& loops_;
  MakeCalls make_calls_;
  bool autocast_ = false;
};

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_HIGHER_ORDER_H_
