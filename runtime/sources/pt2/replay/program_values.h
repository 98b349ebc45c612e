// Maps the values of a program to values of the tracer, with the types that the file states.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_PROGRAM_VALUES_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_PROGRAM_VALUES_H_

#include <vector>

#include "runtime/base/function_ref.h"
#include "runtime/ir/graph.h"
#include "runtime/ir/stated.h"
#include "runtime/sources/pt2/replay/call_queue.h"
#include "runtime/sources/pt2/replay/replay.h"
#include "runtime/trace/tracer.h"

namespace onnxport::pt2 {

class ProgramValues {
 public:
  using Args = std::vector<ir::Arg>;

  // All outlive this. The queue has the stated types.
  ProgramValues(const CallQueue* queue, trace::Tracer* tracer, const Observer* observer)
      : queue_(*queue), tracer_(*tracer), observer_(*observer), args_(queue->values()) {}

  const ir::Value& stated(ir::ValueId id) const { return queue_.value(id); }
  ir::StatedTypes StatedResults(const ir::Node& call) const;

  // Sets the tracer's value for a value of the program. None: it does not exist.
  void Set(ir::ValueId id, ir::Arg value) { args_[static_cast<size_t>(id)] = std::move(value); }
  const ir::Arg& Of(ir::ValueId id) const { return args_[static_cast<size_t>(id)]; }
  // Translates an argument of the program for the tracer.
  ir::Arg Present(const ir::Arg& arg);
  Args Present(const Args& args);

  // Binds the results of a call, or one of them. Results that are None, or missing at the end, are not exported.
  void Bind(const ir::Node& call, const Args& results);
  void Bind(const ir::Node& call, ir::ValueId id, ir::Arg result);
  // Checks that the tracer found the type that the file states for a result of the call.
  void HoldTo(const ir::Node& call, ir::ValueId id, const ir::Arg& result);

  // Makes the calls of `make` for all elements at once, although the program makes them for one element. Meanwhile the
  // stated types do not hold.
  Args AtOnce(FunctionRef<Args()> make);
  bool at_once() const { return at_once_; }

 private:
  const CallQueue& queue_;
  trace::Tracer& tracer_;
  const Observer& observer_;
  Args args_;  // by the program's ids
  bool at_once_ = false;
};

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_PROGRAM_VALUES_H_
