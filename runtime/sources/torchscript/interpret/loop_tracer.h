// Traces a loop whose number of iterations is known only at run time, as an ONNX Loop.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_LOOP_TRACER_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_LOOP_TRACER_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/ir/control_flow.h"
#include "runtime/ir/graph.h"
#include "runtime/sources/torchscript/interpret/execution.h"
#include "runtime/sources/torchscript/interpret/loop_slots.h"
#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/sources/torchscript/syntax/ast.h"
#include "runtime/trace/tracer.h"

namespace onnxport::torchscript {

// The body is traced again and again, until it is known which variables, containers and tensors it changes, and their
// types. Only the last trace becomes part of the graph.
class LoopTracer {
 public:
  // Runs one iteration; for a `while`, returns the condition after it.
  using Iterate = std::function<Value(const Value& iteration)>;
  // The parts and the statement outlive this. `loop` has everything known outside the body.
  LoopTracer(const LoopParts& parts, const Stmt& stmt, ir::LoopSpec loop, Iterate iterate);

  // True: the loop is in the graph, with its changes. False: nothing has changed, and `why()` says the reason.
  bool Run();
  const std::string& why() const { return why_; }
  // It may be made where the first iteration is not a part of it.
  bool needs_first_iteration() const { return slots_.changes_form(); }

 private:
  Speculation::Outcome Trace();
  // Runs one round. Returns `Run`'s result, or nothing if the body must be traced again with its new facts.
  std::optional<bool> TryOnce();
  std::optional<bool> Again();
  // Returns false if the types of carried values have become wider.
  bool Finish(Speculation::Outcome outcome);
  void Leave(const std::vector<ir::Arg>& results);
  void LeaveFailed(Speculation::Outcome outcome);

  LoopParts parts_;
  Execution& run_;
  const Stmt& stmt_;
  ir::LoopSpec loop_;  // as in the last trace
  Iterate iterate_;
  LoopSlots slots_;
  std::vector<trace::Region::Write> writes_;
  std::string why_;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_LOOP_TRACER_H_
