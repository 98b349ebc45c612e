// Makes loops whose body makes the calls of a program's blocks.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_LOOPS_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_LOOPS_H_

#include <optional>
#include <vector>

#include "runtime/base/function_ref.h"
#include "runtime/ir/control_flow.h"
#include "runtime/ir/graph.h"
#include "runtime/sources/pt2/replay/program_values.h"
#include "runtime/trace/tracer.h"

namespace onnxport::pt2 {

// Returns a loop that carries these values.
ir::LoopSpec Carrying(const std::vector<ir::Arg>& initial);
// Sets the values for the next iteration.
void SetNext(const std::vector<ir::Arg>& next, ir::LoopSpec* round);

class Loops {
 public:
  using Args = std::vector<ir::Arg>;
  // Makes the calls of one iteration from `round->iteration` and the carried values. Sets `next`, `next_condition` and
  // `scans` of `round`.
  using Body = FunctionRef<void(const Args& carried, ir::LoopSpec* round)>;
  using Rows = trace::Regions::Body;

  Loops(trace::Tracer* tracer, ProgramValues* values) : tracer_(*tracer), values_(*values) {}

  // `loop` has everything known outside its body. Returns the carried values, then the scans. Failures are reported for
  // `call`.
  Args Repeat(const ir::Node& call, const ir::LoopSpec& loop, Body body);
  // Applies the body to the elements of `stacks` along their first axis, and returns the stacked results. It makes a
  // Loop only if necessary.
  Args ForEach(const ir::Node& call, const ir::Arg& count, const Args& stacks, const Rows& body);
  // Returns true if the body gives the same results when it is called on all elements at once.
  bool Vectorizes(const Args& stacks, const Rows& body);

 private:
  // Tries the body with carried values of these types and writes to these tensors. If the body does something else,
  // returns nothing, and sets them to the next ones to try.
  std::optional<Args> Try(ir::LoopSpec loop, Body body, std::vector<ir::Value>* types,
                          std::vector<trace::Region::Write>* writes);

  trace::Tracer& tracer_;
  ProgramValues& values_;
};

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_LOOPS_H_
