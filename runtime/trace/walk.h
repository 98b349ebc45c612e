// Walks over a program to make its model, and again to find opsets at which failed calls would work.
#ifndef ONNXPORT_RUNTIME_TRACE_WALK_H_
#define ONNXPORT_RUNTIME_TRACE_WALK_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/trace/tracer.h"

namespace onnxport::trace {

// Makes the calls of a program at an opset, on a new tracer with `state`. Each walk makes the same calls. Returns the
// tracer.
using Walk = std::function<std::unique_ptr<Tracer>(int opset, const ProgramState& state)>;

struct Traced {
  ir::Graph source;  // ATen calls, functionalised, with blocks; for printing
  ir::Graph onnx;    // lowered, before passes
  std::vector<std::string> remarks;
  std::vector<StatePair> state;  // if state is kept
};

// Walks at `opset`. Throws onnxport::Error:
// - kUsage for an opset outside `SupportedOpsets()`;
// - kCannotExport with one report of all failures, and of calls that would fail next at a later opset. Each has the
//   lowest later opset at which it works. To find it, the walk is repeated, within a time limit.
// - kBadInput with the same report if results contradict the file.
//
// Without a survey it does not try other opsets, and the report does not mention them.
enum class Survey : uint8_t { kLaterOpsets, kNone };
struct TraceOptions {
  Survey survey = Survey::kLaterOpsets;
  bool keep_state = false;  // keep state as inputs and outputs
};
Traced Trace(const Walk& walk, int opset, TraceOptions options = {});

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_WALK_H_
